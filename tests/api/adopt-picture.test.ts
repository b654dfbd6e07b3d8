import { describe, expect, test } from 'vitest'
import { calls } from '#contract/api.ts'
import { dayMs } from '#contract/durations.ts'
import { imageFieldOf } from '#contract/fields.ts'
import { personId } from '#contract/limits.ts'
import { personFields } from '#contract/person/person.ts'
import { project } from '#contract/sections/project.ts'
import { sections } from '#contract/sections/index.ts'
import { membersOf, openApp, refusal, type TestApp } from '#tests/support/app.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { engines } from '#tests/support/database.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import { owner } from '#tests/support/site.ts'

/* What shows a picture that was uploaded long before: a change may wait on a device for as long as it likes. */

const gone = `/media/${'0'.repeat(40)}.4x4.webp`
/** The sections whose entries show a picture. */
const pictured = sections.filter(({ fields }) => imageFieldOf(fields))
const lost = { status: 422, code: 'imagen-perdida' }

/** Keeps a picture as an upload does, and resolves to its address. */
async function upload({ services }: TestApp): Promise<string> {
  const { buffer, mimeType } = await colourSquare('#2266aa')
  const body = new Blob([new Uint8Array(buffer)]).stream()
  return (
    await services.images.put({
      type: 'Project',
      name: 'New/project_1',
      body,
      declaredType: mimeType,
    })
  ).url
}

describe.each(engines)('on %s', (engine) => {
  test.each(pictured)(
    'an entry of $key is not saved with a picture that is gone',
    async (section) => {
      const field = imageFieldOf(section.fields) ?? ''
      const app = await openApp({ engine, everySection: true })
      const values = completeValues(section, { name: 'Radio' })
      const create = (image: string) =>
        app.asOwner('POST', `${section.key}/create`, { body: { ...values, [field]: image } })
      expect(refusal(await create(gone))).toEqual(lost)
      const shown = await upload(app)
      const { id, [field]: kept } = membersOf(await create(shown))
      expect(kept).toBe(shown)
      const update = (body: object) =>
        app.asOwner('PUT', `${section.key}/update/${String(id)}`, { body })
      expect(refusal(await update({ [field]: gone }))).toEqual(lost)
      const row = await app.call('GET', `${section.key}/detail/${String(id)}`)
      expect(membersOf(row)[field]).toBe(shown)
      for (const size of ['5x5', '4x4-3']) {
        const other = shown.replace(/\.\d+x\d+/, `.${size}`)
        expect(refusal(await update({ [field]: other }))).toEqual(lost)
      }
      // What is elsewhere, and what stands there already, is her own affair.
      await app.db.deleteFrom('image').execute()
      for (const image of [shown, `https://example.com${gone}`, '']) {
        expect((await update({ [field]: image })).status).toBe(200)
      }
    },
  )

  test('the profile is not saved with a picture that is gone', async () => {
    const field = imageFieldOf(personFields) ?? ''
    const app = await openApp({ engine })
    const update = (image: string) =>
      app.asOwner('PUT', `${calls.personUpdate}/${personId}`, { body: { [field]: image } })
    expect(refusal(await update(gone))).toEqual(lost)
    const shown = await upload(app)
    expect(membersOf(await update(shown))[field]).toBe(shown)
  })

  test('a refusal leaves the key free for the same change with its picture', async () => {
    const app = await openApp({ engine })
    const field = imageFieldOf(project.fields) ?? ''
    const address = await upload(app)
    await app.db.deleteFrom('image').execute()
    const body = { ...completeValues(project, { name: 'Radio' }), [field]: address }
    const create = () =>
      app.asOwner('POST', `${project.key}/create`, { body, headers: { 'idempotency-key': 'one' } })
    expect(refusal(await create())).toEqual(lost)
    expect(await upload(app)).toBe(address)
    expect((await create()).status).toBe(201)
  })

  test('a picture whose file is gone, but not its row, is to be uploaded again', async () => {
    const app = await openApp({ engine })
    const address = await upload(app)
    const [name = ''] = address.split('/').slice(-1)
    await app.services.pictureFiles.remove([name])
    const field = imageFieldOf(project.fields) ?? ''
    const body = { ...completeValues(project, { name: 'Radio' }), [field]: address }
    expect(refusal(await app.asOwner('POST', `${project.key}/create`, { body }))).toEqual(lost)
    expect(await upload(app)).toBe(address)
    expect((await app.asOwner('POST', `${project.key}/create`, { body })).status).toBe(201)
  })

  test('a picture that is about to go stays once something shows it', async () => {
    const app = await openApp({ engine })
    const address = await upload(app)
    await app.services.images.sweep()
    app.pass(29 * dayMs)
    const marks = () => app.db.selectFrom('image').select('orphan_since').execute()
    expect(await marks()).not.toEqual([{ orphan_since: null }])
    const { token } = await app.services.auth.login({ ...owner, address: '' })
    const body = {
      ...completeValues(project, { name: 'Radio' }),
      [imageFieldOf(project.fields) ?? '']: address,
    }
    const headers = { authorization: `Bearer${token}` }
    expect((await app.call('POST', `${project.key}/create`, { body, headers })).status).toBe(201)
    expect(await marks()).toEqual([{ orphan_since: null }])
  })
})
