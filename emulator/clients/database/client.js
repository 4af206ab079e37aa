// Reads from the realtime database of the emulator with a client that speaks its own protocol, and ends after a few seconds, in
// which the client could connect again. What the client logs is the output. The arguments are the client and the address.
import { readFileSync } from 'node:fs'
import { JSDOM, VirtualConsole } from 'jsdom'

const [client, addr] = process.argv.slice(2)
const databaseURL = `http://${addr}?ns=test`

// page reads with the client for browsers, in a page whose console is the output.
function page (change) {
  const page = new JSDOM('<!doctype html>', {
    url: 'http://page.example/', runScripts: 'dangerously', resources: 'usable', virtualConsole: new VirtualConsole().sendTo(console)
  })
  change(page.window)
  for (const name of ['app', 'database']) {
    page.window.eval(readFileSync(new URL(`node_modules/firebase/firebase-${name}-compat.js`, import.meta.url), 'utf8'))
  }
  page.window.eval(`firebase.initializeApp({ databaseURL: '${databaseURL}' }); firebase.database().ref('a').get()`)
}

const clients = {
  page: () => page(() => {}),
  'page without WebSocket': () => page(window => { delete window.WebSocket }),
  web: async () => {
    const { initializeApp } = await import('firebase/app')
    const { getDatabase, ref, get } = await import('firebase/database')
    get(ref(getDatabase(initializeApp({ databaseURL })), 'a'))
  },
  admin: async () => {
    const { initializeApp } = await import('firebase-admin/app')
    const { getDatabase } = await import('firebase-admin/database')
    process.env.FIREBASE_DATABASE_EMULATOR_HOST = addr
    initializeApp({ projectId: 'test', databaseURL })
    getDatabase().ref('a').get()
  }
}
await clients[client]()
setTimeout(() => process.exit(), 5000)
