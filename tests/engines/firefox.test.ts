import { firefox } from '#tests/support/engines/puppeteer.ts'
import { describeJourneys } from './journeys.ts'

describeJourneys(firefox)
