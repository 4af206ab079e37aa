// An agent that lets the server check and fix events, using the official client for TypeScript. For each event in the
// collection of broken events, the agent makes at most two calls: check_event, and fix_event with the best fixes. The agent
// writes a transcript, and exits with status 1 if the share of accepted events is too small, if there is a change that no fix
// lists, or if the server returns no question for a person about an event that is not accepted.
//
//   node agent.js PROGRAM FOLDER SHARE
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const [program, folder, share] = process.argv.slice(2)
const began = performance.now()
const client = new Client({ name: 'agent', version: '1.0.0' })
await client.connect(new StdioClientTransport({ command: program, stderr: 'inherit' }))
const started = performance.now() - began

const { tools } = await client.listTools()
assert.equal(tools.length, 8)
const { resources } = await client.listResources()
assert.equal(resources.length, 4)

// Facts that the agent knows in addition to the event.
const known = {
  params: { conferenceDataVersion: '1', sendUpdates: 'all', supportsAttachments: 'true' },
  calendar: { timeZone: 'Europe/Berlin' },
  dialect: 'documents'
}

let calls = 0
let bytes = 0

async function call (name, args) {
  const answer = await client.callTool({ name, arguments: args })
  assert.ok(!answer.isError, answer.content[0].text)
  calls++
  bytes += answer.content[0].text.length
  return answer.structuredContent
}

// readText returns the text in a file, or null if the text is not UTF-8 and therefore cannot be an argument.
function readText (file) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file))
  } catch {
    return null
  }
}

function parsed (text) {
  try {
    const value = JSON.parse(text)
    return Array.isArray(value) ? undefined : value
  } catch {
    return undefined
  }
}

// apply applies the operations of a JSON Patch (RFC 6902) to { body, params }.
function apply (request, patch) {
  for (const { op, path, from, value } of patch) {
    const moved = op === 'move' ? take(request, from) : value
    if (op === 'remove' || op === 'replace') {
      take(request, path)
    }
    if (op !== 'remove') {
      const [around, name] = place(request, path)
      Array.isArray(around) ? around.splice(name === '-' ? around.length : Number(name), 0, moved) : around[name] = moved
    }
  }
}

function place (request, path) {
  const names = path.split('/').slice(1).map(name => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const last = names.pop()
  return [names.reduce((value, name) => value[name], request), last]
}

function take (request, path) {
  const [around, name] = place(request, path)
  assert.ok(Object.hasOwn(around, name), `${path} is not there`)
  const value = around[name]
  Array.isArray(around) ? around.splice(Number(name), 1) : delete around[name]
  return value
}

const names = readdirSync(folder).filter(name => name.endsWith('.json')).sort()
let accepted = 0
for (const name of names) {
  const text = readText(join(folder, name))
  if (text === null) {
    console.log(`${name}: ask: the file is not UTF-8; in what encoding was it written?`)
    continue
  }
  const request = { ...known, bodyText: text }
  const checked = await call('check_event', request)
  if (checked.accepted) {
    accepted++
    console.log(`${name}: accepted, ${checked.findings.length} findings`)
    continue
  }
  const fixed = await call('fix_event', { ...request, fix: 'best' })
  const kept = { body: parsed(text), params: { ...known.params } }
  if (kept.body) { // applying the listed fixes to the original body must result in the fixed body
    fixed.made.forEach(f => apply(kept, f.fix))
    assert.deepEqual(fixed.body, kept.body, name)
  }
  const confirm = fixed.made.filter(f => f.fixIs !== 'safe').length
  if (fixed.accepted) {
    accepted++
    console.log(`${name}: accepted after ${fixed.made.length} fixes, of which a person confirms ${confirm}`)
  } else {
    assert.ok(fixed.questions.length > 0, `${name}: neither accepted nor a question`)
    console.log(`${name}: ${fixed.questions.map(q => 'ask: ' + q.question).join('; ')}`)
  }
}
await client.close()

console.log(`${accepted} of ${names.length} events are accepted (${(100 * accepted / names.length).toFixed(1)} %), after ${calls} calls with ${Math.round(bytes / calls)} bytes an answer; the server starts in ${Math.round(started)} ms`)
assert.ok(accepted / names.length >= Number(share), `fewer than ${share} are accepted`)
