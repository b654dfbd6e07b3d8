import { expect, test } from 'vitest'
import { contactTexts } from '#contract/messages/contact.ts'
import * as catalogue from './catalogue.ts'

/*
 * The interface says «tú» wherever the specification gives no words. Neither «vos» nor «usted» can be told from other words
 * by their endings alone, so what only looks like one of them stands in a list.
 */

const modules = import.meta.glob<object>('../../src/contract/**/*.ts', { eager: true })

function textsIn(value: unknown, seen: Set<unknown> = new Set()): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  return Object.values(value).flatMap((one) => textsIn(one, seen))
}

const given = new Set(textsIn(catalogue))
/** A given title, which other texts name. */
const title = contactTexts.title
const own = [...new Set(textsIn(modules))]
  .filter((text) => !given.has(text) && /[ .!?]/.test(text))
  .map((text) => text.replaceAll(title, ''))

const isWord = (word: string) => `(?<!\\p{L})(?:${word})(?!\\p{L})`
const found = (pattern: string) => {
  const all = own.flatMap((text) => text.match(new RegExp(isWord(pattern), 'giu')) ?? [])
  return new Set(all.map((word) => word.toLowerCase()))
}

/** End as «vos» does, and are none of it; «cuéntame» has an accent where «contame» has none. */
const others =
  'adiós ahí allí aquí así atrás además demás después detrás está están estás esté estés inglés interés jamás más mí país qué quizá según sé sí también té través través dame dime name time'.split(
    ' ',
  )
/** The sample speaks of its own past. */
const past = ['empecé', 'escribí', 'paré']
const future = /(?:[aei]r|[bd]r)(?:á|ás|é)$/
/** As `future` to the eye. */
const asFuture = ['mirá', 'esperá', 'prepará', 'retirá', 'compará', 'repará', 'girá', 'tirá']

test('no text says «vos»', () => {
  const words = [...found(String.raw`vos|sos|\p{L}+(?:á|é|í)s?|[a-zñ]+[aei]me`)]
  const wrong = words.filter(
    (word) =>
      !others.includes(word) &&
      !past.includes(word) &&
      (!future.test(word) || asFuture.includes(word)),
  )
  expect(wrong).toEqual([])
})

/** What would be asked of somebody who is «usted». */
const asked =
  'abra|active|actualice|agregue|añada|borre|busque|cambie|cierre|compruebe|configure|conserve|contacte|copie|corrija|descargue|descarte|elija|elimine|envíe|escriba|espere|guarde|haga|indique|ingrese|inicie|instale|intente|introduzca|inténtelo|ordene|permita|pida|ponga|presione|pruebe|pulse|quite|recargue|recuerde|restaure|revise|seleccione|suba|tenga|toque|traiga|use|utilice|vaya|vea|verifique|vuelva'

test('no text says «usted»', () => {
  expect([...found('usted|ustedes|vuestr[oa]s?|vosotr[oa]s')]).toEqual([])
  const sentences = own.flatMap((text) => text.split(/(?<=[.:!?])\s+/))
  const wrong = sentences.filter((sentence) =>
    new RegExp(`^[¡¿«]?(?:no )?${isWord(asked)}`, 'iu').test(sentence),
  )
  expect(wrong).toEqual([])
})
