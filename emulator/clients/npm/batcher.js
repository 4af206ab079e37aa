// A session with @jrmdayn/googleapis-batcher, which gathers the requests of the official Node client in batches. It does not use
// the proxy of its environment, so it gets the address of the service. It exits with status 1 if an answer is not as expected.
import assert from 'node:assert/strict'
import { calendar as client } from '@googleapis/calendar'
import { batchFetchImplementation } from '@jrmdayn/googleapis-batcher'

const { events } = client({ version: 'v3', rootUrl: process.argv[2], fetchImplementation: batchFetchImplementation() })
const primary = { calendarId: 'primary' }
const all = calls => Promise.all(calls).then(answers => answers.map(a => a.data))

const meals = ['Breakfast', 'Lunch', 'Dinner'].map((summary, i) => ({
  summary,
  description: 'Müsli & “more”',
  start: { dateTime: `2026-03-10T${8 + 5 * i}:00:00Z`.replace('T8', 'T08') },
  end: { dateTime: `2026-03-10T${9 + 5 * i}:00:00Z`.replace('T9', 'T09') }
}))
const stored = await all(meals.map(requestBody => events.insert({ ...primary, requestBody })))
assert.deepEqual(stored.map(e => e.summary), ['Breakfast', 'Lunch', 'Dinner'])
const about = stored.map(e => ({ ...primary, eventId: e.id }))
assert.deepEqual(await all(about.map(e => events.get(e))), stored)

const moved = await all(about.map(e => events.patch({ ...e, requestBody: { location: 'Room 4' } })))
assert.deepEqual(moved.map(e => [e.summary, e.description, e.location]), meals.map(m => [m.summary, m.description, 'Room 4']))

const [read, refused, missing] = await Promise.allSettled([
  events.list(primary),
  events.patch({ ...about[0], requestBody: { end: { dateTime: '2026-03-10T07:00:00Z' } } }),
  events.get({ ...primary, eventId: 'nosuchevent' })
])
assert.deepEqual(read.value.data.items, moved)
assert.deepEqual([refused, missing].map(r => [r.reason.status, r.reason.errors[0].reason]), [[400, 'timeRangeEmpty'], [404, 'notFound']])

await all(about.map(e => events.delete(e)))
assert.deepEqual((await events.list(primary)).data.items, [])
