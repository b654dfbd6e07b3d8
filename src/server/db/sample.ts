import { v5 as namedId } from 'uuid'
import { emptyValues } from '#contract/fields.ts'
import { personFields } from '#contract/person/person.ts'
import { sample } from '#contract/sample.ts'
import { sections } from '#contract/sections/index.ts'
import { parseSettings } from '#contract/settings/kinds.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { createEntry, removeEntry } from './entries.ts'
import { updatePerson } from './person.ts'
import { writeSettings } from './settings.ts'
import { readFact, writeFact } from './site-facts.ts'
import type { Db, Executor } from './tables.ts'

/** The fact, kept in the table `site`, of what became of the sample; absent until the site's first start. */
const factKey = 'sample'

/** Fills a site that starts for the first time with the sample content; does nothing ever after. */
export async function seedSample(db: Db): Promise<void> {
  if ((await readFact(db, factKey)) !== undefined) return
  await db.transaction().execute(async (t) => {
    const first = await t
      .insertInto('site')
      .values({ key: factKey, value: 'shown' })
      .onConflict((c) => c.doNothing())
      .returning('key')
      .executeTakeFirst()
    if (!first) return
    await updatePerson(t, { patch: sample.person })
    await writeSettings(t, parseSettings(sample.settings))
    for (const section of sections) {
      for (const [i, values] of (sample.entries[section.key] ?? []).entries()) {
        await createEntry(t, section, { id: sampleId(section.key, i), values })
      }
    }
  })
}

/** Whether the site still stands on the sample content. */
export async function hasSample(x: Executor): Promise<boolean> {
  return (await readFact(x, factKey)) === 'shown'
}

/** Empties a site of its sample: the sample's entries, the profile and the settings. Does nothing the second time. */
export async function dropSample(x: Executor): Promise<void> {
  await (x.isTransaction ? drop(x) : x.transaction().execute(drop))
}

async function drop(t: Executor): Promise<void> {
  if (!(await hasSample(t))) return
  await writeFact(t, factKey, 'dropped')
  await updatePerson(t, { patch: emptyValues(personFields) })
  await writeSettings(t, defaultSettings)
  for (const section of sections) {
    for (const i of (sample.entries[section.key] ?? []).keys()) {
      await removeEntry(t, section, { id: sampleId(section.key, i) })
    }
  }
}

/** The same id in every site, so that exactly the sample's entries can be taken away again. */
function sampleId(key: string, index: number): string {
  return namedId(`https://example.com/${key}/${index}`, namedId.URL)
}
