import { webkit } from '#tests/support/engines/webkit.ts'
import { describeJourneys } from './journeys.ts'

describeJourneys(webkit)
