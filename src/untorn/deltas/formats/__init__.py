"""One module a format: what its events mean, in the vocabulary of deltas.

Each holds one value, such as ``OPENAI_CHAT``: a name, what ends a stream, and how a payload is
read. Where providers differ within a format, the place is named in its module.
"""
