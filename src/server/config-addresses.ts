/** Whether the text is the address of a bucket: nothing of it is a secret or a question. */
export function isBucket(text: string): boolean {
  const url = URL.parse(text)
  const isPlain =
    url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return isPlain && /^https?:$/.test(url.protocol) && /^\/[\w.-]*$/.test(url.pathname)
}

/** Whether the text is an origin and no more. */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text.toLowerCase()
}
