import { builtServer } from './built-server.ts'
import { serve } from './serve.ts'

/* The built product: `dist/server/main.js`, with the client's files beside it in `dist/client`. */

await serve(builtServer)
