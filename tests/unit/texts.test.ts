import { expect, test } from 'vitest'
import { contactFields, contactNotices, contactTexts } from '#contract/messages/contact.ts'
import * as durations from '#contract/durations.ts'
import { imageEndings, maxTextLength, personId } from '#contract/limits.ts'
import { loginFields, loginTexts } from '#contract/access/login.ts'
import { furtherPaths, ownerPaths, publicPaths } from '#tests/support/page-paths.ts'
import { personImages } from '#contract/person/person.ts'
import { personNotices } from '#contract/texts/person.ts'
import { problems } from '#contract/problem.ts'
import { sections } from '#contract/sections/index.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { importTexts } from '#contract/texts/import.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { texts } from '#contract/texts/site.ts'
import { limitOf } from '#contract/validate.ts'
import * as catalogue from './catalogue.ts'

/** The sections that the specification gives; a site may have others beside them. */
const given = sections.filter(({ key }) => key in catalogue.notices)
const bySection = <T>(of: (section: (typeof sections)[number]) => T) =>
  Object.fromEntries(given.map((section) => [section.key, of(section)]))
const project = sections.find(({ key }) => key === 'proyect')
const limitOfProject = (name: string, moment: 'create' | 'update') => {
  const field = project?.fields[name]
  return field && limitOf(field, moment)
}

test('the navigation has the given addresses and labels in the given order', () => {
  const first = sections.filter(({ startsOff }) => !startsOff)
  const labels = [texts.home, texts.about, ...first.map(({ title }) => title), texts.contact]
  const paths = publicPaths.filter((path) => !furtherPaths.includes(path))
  const navigation = paths.map((path, i) => [path, labels[i]])
  const others = first.filter((section) => !given.includes(section)).map(({ path }) => path)
  expect(navigation.filter(([path = '']) => !others.includes(path))).toEqual(catalogue.navigation)
})

test('every owner route exists under its given address', () => {
  expect(ownerPaths).toEqual(expect.arrayContaining(catalogue.ownerRoutes))
})

test('the words of the screens are the given ones', () => {
  expect({
    loading: texts.loading,
    logout: ownerTexts.logout,
    copied: texts.copied,
    close: texts.close,
    loginTitle: loginTexts.title,
    loginLead: loginTexts.lead,
    loginUser: loginFields.userName.label,
    loginPassword: loginFields.password.label,
    loginSubmit: loginTexts.submit,
    aboutTitle: texts.iAm,
    aboutName: texts.factName,
    availability: defaultSettings.availability_text,
    contactTitle: contactTexts.title,
    contactSubmit: contactTexts.submit,
    confirm: ownerTexts.confirm,
    cancel: ownerTexts.cancel,
    update: ownerTexts.update,
  }).toEqual(catalogue.screens)
})

test('the contact form sends exactly name, email and message', () => {
  expect(Object.keys(contactFields)).toEqual(['name', 'email', 'message'])
})

test('the project form has the given labels in the given order', () => {
  const labels = Object.values(project?.fields ?? {}).map(({ label }) => label)
  expect(labels).toEqual(catalogue.projectForm)
})

test('the cards name their fact and their links as given', () => {
  const drawn = bySection(({ display }) =>
    display.kind === 'card'
      ? { fact: display.fact.label, links: display.links.map(({ label }) => label) }
      : undefined,
  )
  expect(drawn).toEqual({ ...catalogue.cards, skill: undefined })
})

test('every section has its given notices, oddities included', () => {
  expect(bySection(noticesOf)).toEqual(catalogue.notices)
})

test('the other notices are the given ones', () => {
  expect({
    loginWrong: loginTexts.wrong,
    loginLogged: loginTexts.logged,
    personUpdated: personNotices.updated,
    personUpdateFailed: personNotices.updateFailed,
    confirmRemoval: ownerTexts.confirmRemoval,
    remove: ownerTexts.remove,
    removalFailed: ownerTexts.removalFailed,
    removalCancelled: ownerTexts.removalCancelled,
    contactSent: contactNotices.sent,
    contactFailed: contactNotices.failed,
    unknownCategory: ownerTexts.unknownCategory,
  }).toEqual(catalogue.otherNotices)
})

test('the server refuses a login and an image category in the same words as the client', () => {
  expect(problems['credenciales-incorrectas'][2]).toBe(catalogue.otherNotices.loginWrong)
  expect(problems['categoria-no-valida'][2]).toBe(catalogue.otherNotices.unknownCategory)
})

test('the durations and limits are the given ones', () => {
  expect({
    noticeMs: durations.noticeMs,
    confirmMs: durations.confirmMs,
    copiedMs: durations.copiedMs,
    reloadAfterCreateMs: durations.reloadAfterCreateMs,
    personId,
    projectName: limitOfProject('name', 'create'),
    projectDescription: limitOfProject('description', 'create'),
    projectDuration: limitOfProject('duration', 'create'),
    imageEndings,
    defaultTheme: defaultSettings.default_theme,
  }).toEqual(catalogue.limits)
  expect(limitOfProject('name', 'update')).toBe(maxTextLength)
  expect(limitOfProject('description', 'update')).toBe(catalogue.limits.projectDescription)
  expect(limitOfProject('duration', 'update')).toBe(catalogue.limits.projectDuration)
})

test('pictures are stored under the given types and names', () => {
  const { person, ...ofSections } = catalogue.storageNames
  expect(
    bySection(({ images }) => images && [images.type, images.newName, images.editName]),
  ).toEqual(ofSections)
  expect([personImages.type, undefined, personImages.editName]).toEqual(person)
})

test('the settings name all that can be brought in, and say that nothing is uploaded', () => {
  const row = `${importTexts.sources}. ${importTexts.settingsHint}`
  for (const source of [importTexts.linkedIn, importTexts.resume, 'PDF']) {
    expect(row).toContain(source)
    expect(`${importTexts.linkedIn} ${importTexts.resume} ${importTexts.dropHint}`).toContain(
      source,
    )
  }
  expect(row).toContain('Nada se sube')
})
