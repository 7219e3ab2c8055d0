// Owns the timing of eventsource-parser: one body, read once for each line that comes on stdin.
//
//     node node_reader.mjs MODULE READS
//
// MODULE is the package's module, READS a file of reads, each behind its length in four bytes
// (little-endian). The body is read a few times first, so that what is timed is compiled code, and
// once more before each time. The collector is left alone: to call it made most of them slower.
// Each answer is one line of JSON: the events that were found, and the seconds it took.

import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const WARM_UP_RUNS = 10

function readsOf(file) {
  const bytes = readFileSync(file)
  const reads = []
  for (let at = 0; at < bytes.length; ) {
    const start = at + 4
    at = start + bytes.readUInt32LE(at)
    reads.push(bytes.subarray(start, at))
  }
  return reads
}

function count(createParser, reads) {
  let events = 0
  let last = 0
  const parser = createParser({
    onEvent({ data }) {
      // Joined text is a tree of its pieces until somebody reads it, as whoever uses an event does.
      last = data.charCodeAt(data.length - 1)
      events += 1
    },
  })
  const utf8 = new TextDecoder('utf-8')
  for (const read of reads) parser.feed(utf8.decode(read, { stream: true }))
  return events
}

const [module, file] = process.argv.slice(2)
const { createParser } = await import(pathToFileURL(module).href)
const reads = readsOf(file)
for (let run = 0; run < WARM_UP_RUNS; run += 1) count(createParser, reads)

for await (const _ of createInterface({ input: process.stdin })) {
  count(createParser, reads) // what ran in between has filled the caches
  const start = performance.now()
  const events = count(createParser, reads)
  const seconds = (performance.now() - start) / 1000
  console.log(JSON.stringify({ events, seconds }))
}
