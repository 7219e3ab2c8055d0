"""Sphinx settings; warnings are errors where the site is built (see .ci/run)."""

from untorn import __version__

project = "untorn"
author = "the untorn contributors"
copyright = "2026, the untorn contributors"  # noqa: A001
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"untorn {__version__}"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
myst_heading_anchors = 3
