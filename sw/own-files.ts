import type { CacheWillUpdateCallback } from 'workbox-core'
import { isFile } from './images.ts'
import { isOfThisBuild } from './pages.ts'

/**
 * Lets a version in only with its own files: a portal's page in place of a script would be answered from the copy, and the
 * site stay dead on the device, until the version after it.
 */
export const onlyOwnFiles: CacheWillUpdateCallback = async ({ response }) =>
  isFile(response) || (response.ok && isOfThisBuild(await response.clone().text()))
    ? response
    : null
