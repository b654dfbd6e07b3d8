import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['tests/unit/**/*.test.{ts,tsx}'] } },
      {
        test: {
          name: 'api',
          include: ['tests/api/**/*.test.ts'],
          globalSetup: 'tests/support/postgres.ts',
        },
      },
      { test: { name: 'build', include: ['tests/build/**/*.test.ts'] } },
    ],
  },
})
