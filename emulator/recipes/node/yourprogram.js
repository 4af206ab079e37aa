// Calls the public service with the official Node client and the default credentials of its machine. It knows nothing of
// the emulator.
import { auth, calendar as client } from '@googleapis/calendar'

const calendar = client({ version: 'v3', auth: new auth.GoogleAuth({ scopes: ['https://www.googleapis.com/auth/calendar'] }) })
const { data: event } = await calendar.events.insert({
  calendarId: 'primary',
  requestBody: { summary: 'from Node', start: { dateTime: '2026-03-11T09:00:00Z' }, end: { dateTime: '2026-03-11T10:00:00Z' } }
})
await calendar.events.get({ calendarId: 'primary', eventId: event.id })
