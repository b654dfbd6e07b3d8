export type JsonObject = Readonly<Record<string, unknown>>

/** False for null and for an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
