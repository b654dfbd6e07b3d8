import { ConnectionBand } from './connection-band.tsx'
import { InstallCard } from './install-card.tsx'
import './offline.css'

/** What stands on a page because it may live without a connection; the card is laid over the page wherever it stands. */
export function OfflineParts() {
  return (
    <>
      <ConnectionBand />
      <InstallCard />
    </>
  )
}
