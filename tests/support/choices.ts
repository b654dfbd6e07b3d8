import type { Page } from 'playwright/test'

/**
 * The boxes and dots to choose by that are not drawn in the site's own look, or do not show whether they are chosen, in either
 * theme; and whether both states were there to be looked at.
 */
export async function foreignChoices(page: Page): Promise<readonly string[]> {
  const faults: string[] = []
  for (const theme of ['dark', 'light']) {
    const found = await page.evaluate((chosen) => {
      document.documentElement.dataset['theme'] = chosen
      for (const animation of document.getAnimations()) animation.finish()
      const tones = document.body.appendChild(document.createElement('i'))
      tones.style.color = 'var(--accent)'
      tones.style.backgroundColor = 'var(--on-accent)'
      const { color: accent, backgroundColor: onAccent } = getComputedStyle(tones)
      tones.remove()
      const all = document.querySelectorAll<HTMLInputElement>('[type=checkbox], [type=radio]')
      const seen = [...all].filter((one) => one.checkVisibility({ opacityProperty: true }))
      const faultsOf = (one: HTMLInputElement) => {
        const box = getComputedStyle(one)
        const mark = getComputedStyle(one, '::before')
        const isSwitch = one.role === 'switch'
        const isFilled = box.backgroundColor === accent
        return [
          box.appearance === 'none' ? '' : 'drawn by the browser',
          isFilled === one.checked ? '' : `${one.checked ? 'not ' : ''}filled`,
          isSwitch || mark.scale === (one.checked ? '1' : '0') ? '' : `a mark of ${mark.scale}`,
          !one.checked || mark.backgroundColor === onAccent ? '' : 'a mark of another colour',
          one.type === 'radio' && box.borderRadius !== '50%' ? 'a dot that is not round' : '',
          isSwitch || (box.width === '22px' && box.height === '22px') ? '' : `${box.width} wide`,
        ].filter(Boolean)
      }
      const words = (one: HTMLInputElement) =>
        `${one.type} «${one.labels?.[0]?.textContent ?? one.id}»`
      return seen.length === 0
        ? ['none is seen']
        : seen.flatMap((one) => faultsOf(one).map((fault) => `${words(one)}: ${fault}`))
    }, theme)
    faults.push(...found.map((fault) => `${theme}: ${fault}`))
  }
  return faults
}
