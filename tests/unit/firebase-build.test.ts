import { expect, test } from 'vitest'
import { hostsOf, readFirebase } from '#contract/firebase.ts'

const base = {
  VITE_FIREBASE_API_KEY: 'key',
  VITE_FIREBASE_PROJECT_ID: 'demo',
  VITE_FIREBASE_APP_ID: '1:1:web:1',
}
const push = { VITE_FIREBASE_MESSAGING_SENDER_ID: '123', VITE_FIREBASE_VAPID_KEY: 'BKey' }

test('a build that is told nothing has nothing of Firebase', () => {
  expect(readFirebase({})).toBeUndefined()
  expect(readFirebase({ VITE_FIREBASE_API_KEY: ' ', VITE_REMOTE_CONFIG: '' })).toBeUndefined()
  expect(hostsOf([])).toEqual([])
})

test.each([
  [base, []],
  [{ ...base, ...push }, ['push']],
  [{ ...base, VITE_FIREBASE_STORAGE_BUCKET: 'demo.firebasestorage.app' }, ['images']],
  [{ ...base, VITE_REMOTE_CONFIG: 'firebase' }, ['config']],
  [{ ...base, ...push, VITE_REMOTE_CONFIG: 'embedded' }, ['push']],
])('%j uses %j', (variables, services) => {
  expect(readFirebase(variables)?.services).toEqual(services)
})

test.each([
  [{ ...base, VITE_FIREBASE_APP_ID: '' }, 'VITE_FIREBASE_APP_ID'],
  [{ VITE_FIREBASE_STORAGE_BUCKET: 'demo' }, 'VITE_FIREBASE_API_KEY, VITE_FIREBASE_PROJECT_ID'],
  [{ VITE_REMOTE_CONFIG: 'firebase' }, 'VITE_FIREBASE_API_KEY'],
  [{ ...base, VITE_FIREBASE_VAPID_KEY: 'BKey' }, 'VITE_FIREBASE_MESSAGING_SENDER_ID'],
  [{ ...base, VITE_REMOTE_CONFIG: 'google' }, 'VITE_REMOTE_CONFIG'],
])('half of the values stops the build, and it says which are missing: %j', (variables, name) => {
  expect(() => readFirebase(variables)).toThrow(name)
  // Vite prints the error with its stack, which is no part of a sentence for a person.
  expect(() => readFirebase(variables)).toThrow(
    expect.objectContaining({ stack: expect.not.stringContaining('\n') as string }),
  )
})

test('only the hosts of the services in use are allowed', () => {
  expect(hostsOf(['push'])).toEqual([
    'https://firebaseinstallations.googleapis.com',
    'https://fcmregistrations.googleapis.com',
  ])
  const all = hostsOf(['push', 'images', 'config'])
  expect(all).toHaveLength(7)
  expect(all.every((host) => /^https:\/\/[a-z]+\.googleapis\.com$/.test(host))).toBe(true)
})
