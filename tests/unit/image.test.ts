import { expect, test } from 'vitest'
import { imageFileName, imageSource, smallerWidths } from '#contract/images/image.ts'
import { isStorageName, storageKey } from '#server/images/storage-name.ts'
import { sections } from '#contract/sections/index.ts'

const id = '01890a5d-ac96-774b-bcce-b302099a8057'

test('an address of ours tells the size and every width there is', () => {
  const file = imageFileName('abc', { width: 800, height: 600 }, 'webp')
  expect(imageSource(`/media/${file}`)).toEqual({
    src: '/media/abc.800x600.webp',
    srcSet:
      '/media/abc.800x600-320.webp 320w, /media/abc.800x600-640.webp 640w, /media/abc.800x600.webp 800w',
    width: 800,
    height: 600,
  })
})

test('each smaller width is kept under the name the page asks for', () => {
  const size = { width: 800, height: 600 }
  const kept = smallerWidths(size.width).map((width) => imageFileName('abc', size, 'webp', width))
  const asked = imageSource('abc.800x600.webp').srcSet ?? ''
  expect(kept.every((name) => asked.includes(name))).toBe(true)
  expect(kept).toHaveLength(2)
  expect(smallerWidths(640)).toEqual([320])
})

test('a drawing needs one file and a foreign address tells nothing', () => {
  expect(imageSource('/a.40x30.svg')).toEqual({ src: '/a.40x30.svg', width: 40, height: 30 })
  expect(imageSource('https://x.test/a.png')).toEqual({ src: 'https://x.test/a.png' })
})

test.each(sections.flatMap(({ images }) => images ?? []))(
  'names of $type are storage names',
  (images) => {
    expect(isStorageName(`${images.newName}${id}`)).toBe(true)
    expect(isStorageName(`${images.editName}${id}`)).toBe(true)
    expect(storageKey(images.type, `${images.newName}${id}`)).not.toContain('//')
  },
)

test.each([
  '../exp_1',
  'New/../exp_1',
  'New\\exp_1',
  'exp_%2e%2e',
  'exp_',
  '//New/exp_1',
  'exp_1/..',
  'x_1',
])('%s is no storage name', (name) => {
  expect(isStorageName(name)).toBe(false)
})
