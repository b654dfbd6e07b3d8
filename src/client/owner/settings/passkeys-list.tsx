import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Passkey } from '#contract/access/access.ts'
import { fill } from '#contract/text.ts'
import { accessTexts } from '#contract/texts/access.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { passkeysQuery, removePasskey, renamePasskey } from './passkeys.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { hasPasskeys } from '#client/login/passkey.ts'
import { useRowFocus } from '#client/ui/lost-focus.ts'
import { Button } from '#client/ui/button.tsx'
import { PasskeyAdd } from './passkey-add.tsx'
import { PasskeyRow } from './passkey-row.tsx'

/** Draws nothing where the browser has no passkeys and none was made elsewhere. */
export function PasskeysList() {
  const queryClient = useQueryClient()
  const { data: keys = [], isError } = useQuery(passkeysQuery)
  const [isAdding, setAdding] = useState(false)
  const [notice, setNotice] = useState('')
  const rows = useRowFocus<HTMLUListElement>()
  if (!hasPasskeys() && keys.length === 0) return null

  const told = async (change: Promise<void>, done: string) => {
    try {
      await change
      setNotice(done)
    } catch (error) {
      logProblem('A passkey could not be changed', error)
      setNotice(accessTexts.notTold)
    }
  }
  const onAdded = (made: Passkey | undefined) => {
    setAdding(false)
    setNotice(made ? fill(accessTexts.keyAdded, { name: made.name }) : '')
  }
  return (
    <>
      <h3 className="setting-head">{accessTexts.keys}</h3>
      <div className="card">
        {keys.length === 0 ? <p className="setting">{accessTexts.keysHint}</p> : null}
        <ul className="rows slist" {...rows}>
          {keys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              others={keys.length - 1}
              onRename={(name) =>
                void told(
                  renamePasskey(queryClient, { id: passkey.id, name }),
                  fill(accessTexts.renamed, { name }),
                )
              }
              onRemove={() =>
                void told(
                  removePasskey(queryClient, passkey.id),
                  fill(accessTexts.removed, { name: passkey.name }),
                )
              }
            />
          ))}
        </ul>
        <div className="add-row">
          {hasPasskeys() ? (
            <Button
              tone="ghost"
              small
              icon="plus"
              aria-expanded={isAdding}
              onClick={() => setAdding(!isAdding)}
            >
              {isAdding ? ownerTexts.cancel : accessTexts.addKey}
            </Button>
          ) : null}
          <p className="saved" role="status">
            {notice || (isError ? accessTexts.keysNotRead : '')}
          </p>
          {isAdding ? <PasskeyAdd onAdded={onAdded} /> : null}
        </div>
      </div>
    </>
  )
}
