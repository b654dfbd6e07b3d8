import type { Migration } from 'kysely/migration'
import type { Engine } from '../tables.ts'
import { firstMigration } from './0001-first.ts'
import { messagesAndPush } from './0002-messages-and-push.ts'
import { removedDevices } from './0003-removed-devices.ts'
import { signIns } from './0004-sign-ins.ts'
import { life } from './0005-life.ts'
import { lastChanges } from './0006-last-changes.ts'
import { passkeys } from './0007-passkeys.ts'
import { passwordChanges } from './0008-password-changes.ts'
import { bin } from './0010-bin.ts'
import { keptResumes } from './0011-kept-resumes.ts'
import { linkLooks } from './0012-link-looks.ts'
import { answeredMessages } from './0013-answered-messages.ts'
import { history } from './0014-history.ts'
import { hiddenEntries } from './0015-hidden-entries.ts'
import { alternativeTexts } from './0016-alternative-texts.ts'
import { pictureDigests } from './0017-picture-digests.ts'
import { messageIndexes } from './0018-message-indexes.ts'
import { signedChallenges } from './0019-signed-challenges.ts'
import { linesOfCookies } from './0020-lines-of-cookies.ts'
import { messageArrivals } from './0021-message-arrivals.ts'

/** Every migration by name, in the order of the names; a static list, so that it survives bundling. */
export function allMigrations(engine: Engine, firstLife = 0): Record<string, Migration> {
  return {
    '0001-first': firstMigration(engine),
    '0002-messages-and-push': messagesAndPush(engine),
    '0003-removed-devices': removedDevices(engine),
    '0004-sign-ins': signIns(engine),
    '0005-life': life(firstLife),
    '0006-last-changes': lastChanges(engine),
    '0007-passkeys': passkeys(engine),
    '0008-password-changes': passwordChanges,
    '0010-bin': bin(engine),
    '0011-kept-resumes': keptResumes(engine),
    '0012-link-looks': linkLooks(engine),
    '0013-answered-messages': answeredMessages,
    '0014-history': history(engine),
    '0015-hidden-entries': hiddenEntries,
    '0016-alternative-texts': alternativeTexts,
    '0017-picture-digests': pictureDigests,
    '0018-message-indexes': messageIndexes,
    '0019-signed-challenges': signedChallenges(engine),
    '0020-lines-of-cookies': linesOfCookies,
    '0021-message-arrivals': messageArrivals,
  }
}
