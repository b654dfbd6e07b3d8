import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createApp } from '#server/api/app.ts'
import { serve } from '#server/serve.ts'

/* The product without its pages, from the sources: for tests that start and kill a process many times. */

await serve(async (parts) => {
  const listener = getRequestListener(createApp(parts).fetch)
  return createServer((req, res) => void listener(req, res))
})
