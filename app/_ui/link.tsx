'use client'
import NextLink, { useLinkStatus } from 'next/link'
import type { ComponentProps } from 'react'

/**
 * A way to another screen. Nothing is fetched ahead: screens are drawn for whoever asks, so that there is nothing to
 * keep, and a menu of twenty would have the manager begin drawing all of them with every page.
 */
export const Link = (props: ComponentProps<typeof NextLink>) => <NextLink prefetch={false} {...props} />

/** Inside a link: marks it from its press on until its screen is there. */
export const Pressed = () => useLinkStatus().pending && <i className="pressed" aria-hidden="true" />
