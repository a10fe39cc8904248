// The names, kinds and meanings of everything that collectors get, by the conventions of Prometheus: base units
// (seconds, bytes, shares of one), totals end in `_total`, what describes stands as labels of an `_info` that is 1.

type Family = { type: 'gauge' | 'counter'; help: string }

export const families = {
  lanward_manager_info: { type: 'gauge', help: 'Version of the manager.' },
  lanward_manager_polls_total: { type: 'counter', help: 'Polls begun since the manager started.' },
  lanward_manager_polls_answered_total: { type: 'counter', help: 'Polls that the device answered.' },
  lanward_manager_polls_late_total: { type: 'counter', help: 'Polls left out because the device was still busy.' },
  lanward_manager_backup_verified_timestamp_seconds: {
    type: 'gauge',
    help: 'When the newest backup that was verified was verified.',
  },
  process_resident_memory_bytes: { type: 'gauge', help: 'Resident memory of the manager.' },
  process_cpu_seconds_total: { type: 'counter', help: 'Processor time of the manager, user and system.' },
  process_start_time_seconds: { type: 'gauge', help: 'When the manager started.' },
  lanward_network_info: { type: 'gauge', help: 'Name of a network by its number.' },
  lanward_network_clients: { type: 'gauge', help: 'Clients connected to the network.' },
  lanward_network_wifi_clients: { type: 'gauge', help: 'Of these, clients on Wi-Fi.' },
  lanward_alerts_unread: { type: 'gauge', help: 'Alerts of the network that nobody has read, by level.' },
  lanward_device_info: { type: 'gauge', help: 'What a device is, by its number.' },
  lanward_device_up: { type: 'gauge', help: '1 while the device answers, 0 while it does not.' },
  lanward_device_last_seen_timestamp_seconds: { type: 'gauge', help: 'When the device answered last.' },
  lanward_device_boot_time_seconds: { type: 'gauge', help: 'When the device started.' },
  lanward_device_cpu_ratio: { type: 'gauge', help: 'Processor in use, 0 to 1.' },
  lanward_device_memory_ratio: { type: 'gauge', help: 'Memory in use, 0 to 1.' },
  lanward_device_temperature_celsius: { type: 'gauge', help: 'Its hottest sensor.' },
  lanward_device_poe_watts: { type: 'gauge', help: 'Power that the device gives by PoE.' },
  lanward_device_clients: { type: 'gauge', help: 'Clients connected through the device.' },
  lanward_device_wifi_clients: { type: 'gauge', help: 'Of these, clients on Wi-Fi.' },
  lanward_interface_up: { type: 'gauge', help: '1 while the interface has a link.' },
  lanward_interface_speed_bytes_per_second: { type: 'gauge', help: 'Speed of the link.' },
  lanward_interface_receive_bytes_total: { type: 'counter', help: 'As the device counts; 32 bits on old ones.' },
  lanward_interface_transmit_bytes_total: { type: 'counter', help: 'As the device counts; 32 bits on old ones.' },
  lanward_interface_receive_packets_total: { type: 'counter', help: 'As the device counts.' },
  lanward_interface_transmit_packets_total: { type: 'counter', help: 'As the device counts.' },
  lanward_interface_receive_errors_total: { type: 'counter', help: 'As the device counts.' },
  lanward_interface_transmit_errors_total: { type: 'counter', help: 'As the device counts.' },
  lanward_interface_receive_discards_total: { type: 'counter', help: 'As the device counts.' },
  lanward_interface_transmit_discards_total: { type: 'counter', help: 'As the device counts.' },
  lanward_interface_poe_watts: { type: 'gauge', help: 'Power that the port gives by PoE.' },
  lanward_radio_up: { type: 'gauge', help: '1 while the radio is on.' },
  lanward_radio_channel: { type: 'gauge', help: 'Channel in use.' },
  lanward_radio_width_hertz: { type: 'gauge', help: 'Channel width in use.' },
  lanward_radio_transmit_power_dbm: { type: 'gauge', help: 'Power that it sends with.' },
  lanward_radio_noise_dbm: { type: 'gauge', help: 'Noise that it hears.' },
  lanward_radio_busy_ratio: { type: 'gauge', help: 'Share of time in which the channel is busy, 0 to 1.' },
  lanward_bss_clients: { type: 'gauge', help: 'Clients of a Wi-Fi network at one radio.' },
  lanward_wan_up: { type: 'gauge', help: '1 while the gateway finds the way to the internet working.' },
  lanward_wan_loss_ratio: { type: 'gauge', help: 'Share of its probes without an answer, 0 to 1.' },
  lanward_wan_latency_seconds: { type: 'gauge', help: 'How long answers to its probes took.' },
  lanward_wan_jitter_seconds: { type: 'gauge', help: 'How much one answer differed from the one before.' },
  lanward_client_info: { type: 'gauge', help: 'Where a Wi-Fi client is connected.' },
  lanward_client_signal_dbm: { type: 'gauge', help: 'Signal of a Wi-Fi client at its access point.' },
  lanward_client_download_bytes_total: { type: 'counter', help: 'Sent to the client since it connected.' },
  lanward_client_upload_bytes_total: { type: 'counter', help: 'Received from the client since it connected.' },
} as const satisfies Record<string, Family>

export type FamilyName = keyof typeof families

/** Some series of one family: `names` of the labels, a row of label values and a value for each; not-a-number is left out. */
export type Group = {
  family: FamilyName
  names: readonly string[]
  rows: readonly (readonly string[])[]
  values: ArrayLike<number>
}
