import type { Plugin } from 'vite'
import { builtWithFile, hostsOf, type BuiltWith, type FirebaseBuild } from '../contract/firebase.ts'

/** Tells the server what this build calls: its policy has to allow that, and its account to be of the same project. */
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
