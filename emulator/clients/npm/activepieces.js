// A session with @activepieces/piece-google-calendar, whose HTTP client, axios 1.2.4, sends the whole address to the proxy of its
// environment in place of CONNECT. It exits with status 1 if an answer is not as expected.
import assert from 'node:assert/strict'
import { googleCalendar } from '@activepieces/piece-google-calendar'

const authentication = { access_token: 'any' }
const action = googleCalendar.getAction('create_quick_event')
const trigger = googleCalendar.getTrigger('new_or_updated_event')

const { options } = await action.props.calendar_id.options({ authentication })
assert.deepEqual(options, [{ label: 'user@example.com', value: 'user@example.com' }])
const propsValue = { authentication, calendar_id: options[0].value, text: 'Call Grace & Ada', send_updates: 'all' }

const kept = new Map()
const store = { get: async name => kept.get(name), put: async (name, value) => kept.set(name, value) }
const context = { propsValue, store, webhookUrl: 'https://hooks.example/' }
await trigger.onEnable(context)
const { body: event } = await action.run(context)
assert.equal(event.summary, 'Call Grace & Ada')
assert.deepEqual(await trigger.run(context), [event])
await trigger.onDisable(context)
assert.deepEqual(kept.get('_trigger'), {})
