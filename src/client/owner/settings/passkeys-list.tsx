import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Passkey } from '#contract/access/access.ts'
import { fill } from '#contract/text.ts'
import { accessTexts } from '#contract/texts/access.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { passkeysQuery, removePasskey, renamePasskey } from './passkeys.ts'
import { hasPasskeys } from '#client/login/passkey.ts'
import { Button } from '#client/ui/button.tsx'
import { useRowFocus } from '#client/ui/lost-focus.ts'
import { PasskeyAdd } from './passkey-add.tsx'
import { PasskeyRow } from './passkey-row.tsx'
import { useOutcome } from './use-outcome.ts'
import { useLastCount, WaitingRows } from './waiting-rows.tsx'

/** Draws nothing where the browser has no passkeys and none was made elsewhere. */
export function PasskeysList() {
  const queryClient = useQueryClient()
  const { data, isError, isPending } = useQuery(passkeysQuery)
  const keys = data ?? []
  const lastCount = useLastCount({ name: 'passkeys', rows: data, atFirst: 0 })
  const awaited = isPending ? lastCount : 0
  const [isAdding, setAdding] = useState(false)
  const adder = useRef<HTMLButtonElement>(null)
  const outcome = useOutcome({ log: 'A passkey was not changed', silent: accessTexts.notTold })
  const rows = useRowFocus<HTMLUListElement>()
  if (!hasPasskeys() && keys.length + awaited === 0) return null

  const onAdded = (made: Passkey | undefined) => {
    // The form goes with the focus in it.
    adder.current?.focus()
    setAdding(false)
    outcome.say(made ? fill(accessTexts.keyAdded, { name: made.name }) : '')
  }
  return (
    <>
      <h3 className="setting-head">{accessTexts.keys}</h3>
      <div className="card">
        {keys.length + awaited === 0 ? (
          <div className="setting">
            <p>{accessTexts.keysHint}</p>
          </div>
        ) : null}
        <ul className="rows slist" {...rows}>
          <WaitingRows count={awaited} className="two" />
          {keys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              others={keys.length - 1}
              onRename={(name) =>
                outcome.attempt(
                  () => renamePasskey(queryClient, { id: passkey.id, name }),
                  fill(accessTexts.renamed, { name }),
                )
              }
              onRemove={() =>
                outcome.attempt(
                  () => removePasskey(queryClient, passkey.id),
                  fill(accessTexts.removed, { name: passkey.name }),
                )
              }
            />
          ))}
        </ul>
        <div className="add-row">
          {hasPasskeys() ? (
            <Button
              ref={adder}
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
            {outcome.words || (isError ? accessTexts.keysNotRead : '')}
          </p>
          {isAdding ? <PasskeyAdd onAdded={onAdded} /> : null}
        </div>
      </div>
    </>
  )
}
