/** The browser saves the address as a file of this name; the page stays. */
export function handFile(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
