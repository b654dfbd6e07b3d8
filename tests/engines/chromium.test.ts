import { chromium } from '#tests/support/engines/puppeteer.ts'
import { describeJourneys } from './journeys.ts'

describeJourneys(chromium)
