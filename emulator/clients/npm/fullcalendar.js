// A session with a page in Chromium that has FullCalendar and its plugin for the public service. The page writes with fetch, since
// the plugin only reads. It exits with status 1 if the page does not show what was written.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

// Chromium trusts what this folder has, beside its own list.
const trusted = join(process.env.HOME, '.pki', 'nssdb')
mkdirSync(trusted, { recursive: true })
execFileSync('certutil', ['-d', `sql:${trusted}`, '-N', '--empty-password'])
execFileSync('certutil', ['-d', `sql:${trusted}`, '-A', '-n', 'calrules', '-t', 'C,,', '-i', process.env.CERTIFICATE])

// Chromium asks other hosts for updates, which it does not reach.
const script = `function FindProxyForURL(url, host) { return host == 'www.googleapis.com' ? 'PROXY ${process.env.ADDR}' : 'DIRECT' }`
const proxy = process.env.HTTPS_PROXY ? [`--proxy-pac-url=data:application/x-ns-proxy-autoconfig,${encodeURIComponent(script)}`] : []

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', ...proxy]
})
const page = await browser.newPage({ timezoneId: 'UTC' })
page.on('console', message => console.log(message.text()))
for (const part of ['core', 'daygrid', 'google-calendar']) {
  await page.addScriptTag({ path: new URL(`node_modules/@fullcalendar/${part}/index.global.min.js`, import.meta.url).pathname })
}

// write sends a request for an event and returns the answer.
const write = (method, path, body) => page.evaluate(async ([method, path, body]) => {
  const answer = await fetch(`https://www.googleapis.com/calendar/v3/calendars/primary/events${path}`, {
    method, headers: { 'Content-Type': 'application/json' }, body: body && JSON.stringify(body)
  })
  return answer.status === 204 ? null : answer.json()
}, [method, path, body])

// show lets a new calendar load March, and returns the events that it has, and the titles that can be seen.
const show = () => page.evaluate(() => new Promise((resolve, reject) => {
  const element = document.body.appendChild(document.createElement('div'))
  const calendar = new window.FullCalendar.Calendar(element, {
    initialDate: '2026-03-10',
    timeZone: 'UTC',
    googleCalendarApiKey: 'any',
    events: { googleCalendarId: 'primary' },
    eventSourceFailure: reject,
    loading: isLoading => isLoading || setTimeout(() => {
      const events = calendar.getEvents().map(e => [e.title, e.startStr, e.endStr, e.allDay, e.extendedProps.location]).sort()
      const titles = [...element.querySelectorAll('.fc-event-title')].map(e => e.textContent).sort()
      calendar.destroy()
      resolve({ events, titles })
    })
  })
  calendar.render()
}))

const dentist = await write('POST', '', { summary: 'Dentist', location: 'Room 4', start: { dateTime: '2026-03-10T09:00:00Z' }, end: { dateTime: '2026-03-10T10:00:00Z' } })
await write('POST', '', { summary: 'Holiday', start: { date: '2026-03-11' }, end: { date: '2026-03-12' } })
await write('POST', '', { summary: 'Standup', start: { dateTime: '2026-03-12T09:00:00Z', timeZone: 'UTC' }, end: { dateTime: '2026-03-12T09:15:00Z', timeZone: 'UTC' }, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
const others = [
  ['Holiday', '2026-03-11', '2026-03-12', true, undefined],
  ['Standup', '2026-03-12T09:00:00Z', '2026-03-12T09:15:00Z', false, undefined],
  ['Standup', '2026-03-13T09:00:00Z', '2026-03-13T09:15:00Z', false, undefined]
]
assert.deepEqual(await show(), {
  events: [['Dentist', '2026-03-10T09:00:00Z', '2026-03-10T10:00:00Z', false, 'Room 4'], ...others],
  titles: ['Dentist', 'Holiday', 'Standup', 'Standup']
})
await write('PATCH', `/${dentist.id}`, { summary: 'Dentist moved' })
assert.deepEqual((await show()).titles, ['Dentist moved', 'Holiday', 'Standup', 'Standup'])
await write('DELETE', `/${dentist.id}`)
assert.deepEqual((await show()).events, others)
await browser.close()
