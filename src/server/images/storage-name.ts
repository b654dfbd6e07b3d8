import { personImages } from '#contract/person/person.ts'
import { sections } from '#contract/sections/index.ts'

const named = [personImages, ...sections.flatMap(({ images }) => images ?? [])]
const withoutSlash = (name: string) => name.replace(/^\//, '')
const beginnings = named.flatMap(({ newName, editName }) => [withoutSlash(newName), editName])

/** The folders that pictures are kept in. */
export const imageTypes: readonly string[] = named.map(({ type }) => type)

/** Whether the profile or a section gives such names to pictures; anything with `..`, `\` or an encoding is none of them. */
export function isStorageName(name: string): boolean {
  const given = withoutSlash(name)
  return beginnings.some(
    (beginning) =>
      given.startsWith(beginning) && /^[A-Za-z0-9-]{1,64}$/.test(given.slice(beginning.length)),
  )
}

/** The key a picture is kept under: category and name, one slash between them. */
export function storageKey(type: string, name: string): string {
  return `${type}/${name}`.replace(/\/{2,}/g, '/')
}
