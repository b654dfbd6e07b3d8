/** Leaves an address to the browser, which saves the file under this name; the page stays. */
export function handFile(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
