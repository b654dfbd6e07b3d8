import { personImages } from '#contract/person/person.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'

const named = [personImages, ...sections.flatMap(({ images }) => images ?? [])]
const withoutSlash = (name: string) => name.replace(/^\//, '')
const beginnings = named.flatMap(({ newName, editName }) => [withoutSlash(newName), editName])

export const imageTypes: readonly string[] = named.map(({ type }) => type)

/** Only names that the profile or a section gives; any with `..`, `\` or an encoding is refused. */
export function isStorageName(name: string): boolean {
  const given = withoutSlash(name)
  return beginnings.some(
    (beginning) =>
      given.startsWith(beginning) && /^[A-Za-z0-9-]{1,64}$/.test(given.slice(beginning.length)),
  )
}

/** The entries that a storage key has the name of, in every section that names its pictures so. */
export function entriesNamed(key: string): readonly { section: Section; id: string }[] {
  const name = key.slice(key.indexOf('/') + 1)
  return sections.flatMap((section) => {
    const { newName, editName } = section.images ?? {}
    return [newName, editName].flatMap((beginning) =>
      beginning !== undefined && name.startsWith(withoutSlash(beginning))
        ? [{ section, id: name.slice(withoutSlash(beginning).length) }]
        : [],
    )
  })
}

/** Category and name, with one slash between them. */
export function storageKey(type: string, name: string): string {
  return `${type}/${name}`.replace(/\/{2,}/g, '/')
}
