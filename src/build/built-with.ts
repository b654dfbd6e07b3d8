import type { Plugin } from 'vite'
import { builtWithFile, hostsOf, type BuiltWith, type FirebaseBuild } from '../contract/firebase.ts'

/**
 * Tells the server which hosts this build calls, for its policy, and the Firebase project that its account must belong
 * to.
 */
export function builtWith(firebase: FirebaseBuild | undefined): Plugin {
  const services = firebase?.services ?? []
  const told: BuiltWith = {
    ...(firebase && { projectId: firebase.options.projectId }),
    services,
    hosts: hostsOf(services),
  }
  return {
    name: 'tintero:built-with',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: builtWithFile, source: JSON.stringify(told) })
    },
  }
}
