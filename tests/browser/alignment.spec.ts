import type { Locator } from 'playwright/test'
import { personId } from '#contract/limits.ts'
import { personForms } from '#contract/person/person.ts'
import { education } from '#contract/sections/education.ts'
import { experience } from '#contract/sections/experience.ts'
import { project } from '#contract/sections/project.ts'
import { skill } from '#contract/sections/skill.ts'
import { texts } from '#contract/texts/site.ts'
import { expect, test } from '#tests/support/browser.ts'
import { createEntry, formValues, itemOf } from '#tests/support/entries.ts'
import { sendMessage } from '#tests/support/visitor-message.ts'
import { letter } from '#tests/support/messages.ts'

/* What belongs together stands on one line, and what begins or ends together shares an edge. */

test.use({ writes: true })

async function edgesOf(part: Locator) {
  return part.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return { left, right, top, bottom }
  })
}

test('the links of a card stay on one line beside the longest date @main', async ({
  visitor,
  site,
}) => {
  const values = { ...formValues(project, 'Cometa'), duration: 'Abril – octubre 2026' }
  await createEntry(site, project, values)
  for (const width of [320, 390, 768, 1024, 1440]) {
    await visitor.setViewportSize({ width, height: 900 })
    await visitor.goto(project.path)
    const links = itemOf(visitor, 'Cometa').locator('.ext-link')
    await expect(links).toHaveCount(2)
    const [first, second] = [await edgesOf(links.first()), await edgesOf(links.last())]
    expect(second.top, `at ${width}`).toBe(first.top)
  }
})

test('on a phone the plate of an entry begins where its text does', async ({ visitor }) => {
  await visitor.setViewportSize({ width: 390, height: 844 })
  await visitor.goto(experience.path)
  const entry = visitor.locator('main .item').first()
  const plate = await edgesOf(entry.locator('.plate'))
  const description = await edgesOf(entry.locator('.description'))
  expect(Math.abs(plate.left - description.left)).toBeLessThanOrEqual(1)
})

test('the links of the foot end where the page does, and take one line on a phone', async ({
  visitor,
}) => {
  const foot = visitor.locator('.site-foot')
  const parts = foot.locator('li > *')
  await visitor.setViewportSize({ width: 1440, height: 900 })
  await visitor.goto('/about')
  const words = parts.last()
  const [edge, end] = [await edgesOf(foot.locator('.wrap')), await edgesOf(words)]
  const padding = await words.evaluate((part) => parseFloat(getComputedStyle(part).paddingRight))
  expect(Math.abs(edge.right - (end.right - padding))).toBeLessThanOrEqual(1)
  await visitor.setViewportSize({ width: 390, height: 844 })
  const tops = await parts.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
  expect(new Set(tops).size).toBe(1)
})

test('on a tablet the buttons of the first page are as wide as their words need', async ({
  visitor,
}) => {
  await visitor.setViewportSize({ width: 768, height: 1024 })
  await visitor.goto('/')
  for (const button of await visitor.locator('.cta .btn').all()) {
    const { left, right } = await edgesOf(button)
    expect(right - left).toBeLessThan(200)
  }
})

test('the line between the messages and the one that is read goes down to the end', async ({
  owner,
  site,
}) => {
  await sendMessage(site, { ...letter, message: 'Una línea.\n'.repeat(60) })
  await owner.setViewportSize({ width: 1440, height: 900 })
  await owner.goto('/inbox')
  await owner.locator('.msg-list a').first().click()
  const reader = owner.locator('.msg-reader')
  await expect(reader).toContainText('Una línea.')
  const [card, line] = [await edgesOf(owner.locator('.inbox')), await edgesOf(reader)]
  expect(await reader.evaluate((part) => getComputedStyle(part).borderLeftWidth)).toBe('1px')
  expect(card.bottom - line.bottom).toBeLessThanOrEqual(2)
})

test('a form marks in the navigation the page that shows what it changes', async ({
  owner,
  site,
}) => {
  const { path: backPath, addPath, editPath } = project
  const id = await createEntry(site, project, formValues(project, 'Cometa'))
  for (const form of [
    { path: addPath, backPath },
    { path: editPath.replace('$id', id), backPath },
    ...Object.values(personForms),
  ]) {
    await owner.goto(form.path.replace('$id', String(personId)))
    const current = owner.getByRole('banner').locator('.nav > ul [aria-current=page]')
    await expect(current).toHaveAttribute('href', form.backPath)
  }
})

test('on a phone «more» stands out on the owner’s own pages', async ({ owner }) => {
  await owner.setViewportSize({ width: 390, height: 844 })
  for (const path of ['/settings', '/inbox', '/traer']) {
    await owner.goto(path)
    const more = owner.locator('.tabs').getByRole('button', { name: texts.more })
    await expect(more).toHaveAttribute('aria-current', 'true')
  }
  await owner.goto('/')
  await expect(owner.locator('.tabs button')).not.toHaveAttribute('aria-current')
})

test('at 320 the labels of the tab bar stand apart', async ({ visitor }) => {
  await visitor.setViewportSize({ width: 320, height: 844 })
  await visitor.goto('/')
  const gaps = await visitor.locator('.tabs :is(a, button)').evaluateAll((tabs) => {
    const words = tabs.map((tab) => {
      const range = document.createRange()
      range.selectNodeContents(tab)
      return range.getBoundingClientRect()
    })
    return words.slice(1).map(({ left }, n) => left - (words[n]?.right ?? 0))
  })
  expect(gaps).toHaveLength(4)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(6)
})

test('at 320 the buttons of a list touch neither the caret above them nor the tools below', async ({
  owner,
  site,
}) => {
  await createEntry(site, skill, formValues(skill, 'Cometa'))
  await owner.setViewportSize({ width: 320, height: 844 })
  for (const path of [experience.path, education.path, skill.path]) {
    await owner.goto(path)
    const tools = owner.locator('main .item .edit').first()
    await expect(tools).toBeVisible()
    const baseline = await owner.locator('main h1').evaluate((title) => {
      const mark = document.createElement('span')
      mark.style.display = 'inline-block'
      title.prepend(mark)
      const { bottom } = mark.getBoundingClientRect()
      mark.remove()
      return bottom
    })
    const { top } = await edgesOf(tools)
    for (const button of await owner.locator('.page-head .actions-slot .btn').all()) {
      const edges = await edgesOf(button)
      expect(edges.top - baseline, path).toBeGreaterThanOrEqual(2)
      expect(top - edges.bottom, path).toBeGreaterThanOrEqual(2)
    }
  }
})

test('on a phone the caret of a list’s title stands behind its word, and no tools lie over the buttons', async ({
  owner,
  site,
}) => {
  for (const section of [project, experience, education, skill]) {
    for (const name of ['Cometa', 'Papel']) {
      await createEntry(site, section, formValues(section, name))
    }
    await owner.goto(section.path)
    await expect(owner.locator('.page-head .actions-slot .btn')).toHaveCount(2)
    await owner.evaluate(() => document.fonts.ready)
    for (let width = 320; width <= 400; width += 8) {
      await owner.setViewportSize({ width, height: 844 })
      const lines = await owner.locator('main h1').evaluate((title) => {
        const words = document.createRange()
        words.selectNodeContents(title)
        const tops = [...words.getClientRects()].map(({ top }) => Math.round(top))
        const lineHeight = parseFloat(getComputedStyle(title).lineHeight)
        const { height } = title.getBoundingClientRect()
        return { all: Math.round(height / lineHeight), withWords: new Set(tops).size }
      })
      expect(lines.all, `${section.title} at ${width}`).toBe(lines.withWords)
      const tools = await edgesOf(owner.locator('main .item .edit').first())
      for (const button of await owner.locator('.page-head .actions-slot .btn').all()) {
        const { bottom } = await edgesOf(button)
        expect(tools.top - bottom, `${section.title} at ${width}`).toBeGreaterThanOrEqual(2)
      }
    }
  }
})
