// Parts of pages drawn inside a network, with the words they need.
import { render } from '@testing-library/react'
import { PathParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { type AbstractIntlMessages, NextIntlClientProvider } from 'next-intl'
import type { ReactNode } from 'react'

export const inNetwork = (part: ReactNode, messages: object) =>
  render(
    <PathParamsContext.Provider value={{ networkId: '1' }}>
      <NextIntlClientProvider locale="en" timeZone="UTC" messages={messages as AbstractIntlMessages}>
        {part}
      </NextIntlClientProvider>
    </PathParamsContext.Provider>,
  ).container
