import type { FamilyName } from './families'

// A dashboard in Grafana's own format (schema 39), of a row of figures and panels of one or two queries each.

// biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana's own placeholder, filled in when it is imported.
const datasource = { type: 'prometheus', uid: '${DS_PROMETHEUS}' }
const named = '* on(device) group_left(name) lanward_device_info{network=~"$network"}'
/** Of the networks that are chosen. */
const inNetwork = 'and on(device) lanward_device_info{network=~"$network"}'
const rate = (family: FamilyName) => `rate(${family}[5m])`

type Panel = { title: string; unit: string; queries: [expression: string, legend: string][]; stat?: true; max?: number }

const panels: Panel[] = [
  {
    title: 'Devices up',
    unit: 'none',
    stat: true,
    queries: [[`sum(lanward_device_up ${inNetwork})`, 'up']],
  },
  {
    title: 'Devices down',
    unit: 'none',
    stat: true,
    queries: [[`count(lanward_device_up == 0 ${inNetwork}) or vector(0)`, 'down']],
  },
  {
    title: 'Clients',
    unit: 'none',
    stat: true,
    queries: [['sum(lanward_network_clients{network=~"$network"})', 'all']],
  },
  {
    title: 'Unread alerts',
    unit: 'none',
    stat: true,
    queries: [['sum(lanward_alerts_unread{network=~"$network"})', 'alerts']],
  },
  {
    title: 'WAN latency',
    unit: 's',
    queries: [[`lanward_wan_latency_seconds ${named}`, '{{name}} {{wan}}']],
  },
  {
    title: 'WAN loss',
    unit: 'percentunit',
    max: 1,
    queries: [[`lanward_wan_loss_ratio ${named}`, '{{name}} {{wan}}']],
  },
  {
    title: 'Busiest interfaces, received',
    unit: 'Bps',
    queries: [[`topk(10, ${rate('lanward_interface_receive_bytes_total')} ${named})`, '{{name}} {{interface}}']],
  },
  {
    title: 'Busiest interfaces, sent',
    unit: 'Bps',
    queries: [[`topk(10, ${rate('lanward_interface_transmit_bytes_total')} ${named})`, '{{name}} {{interface}}']],
  },
  {
    title: 'Interface errors',
    unit: 'cps',
    queries: [
      [`topk(10, ${rate('lanward_interface_receive_errors_total')} ${named}) > 0`, '{{name}} {{interface}} in'],
      [`topk(10, ${rate('lanward_interface_transmit_errors_total')} ${named}) > 0`, '{{name}} {{interface}} out'],
    ],
  },
  {
    title: 'Clients by Wi-Fi network',
    unit: 'none',
    queries: [[`sum by (ssid) (lanward_bss_clients ${inNetwork})`, '{{ssid}}']],
  },
  {
    title: 'Radios: busy',
    unit: 'percentunit',
    max: 1,
    queries: [[`lanward_radio_busy_ratio ${named}`, '{{name}} {{radio}}']],
  },
  {
    title: 'Processor',
    unit: 'percentunit',
    max: 1,
    queries: [[`topk(10, lanward_device_cpu_ratio ${named})`, '{{name}}']],
  },
  {
    title: 'Memory',
    unit: 'percentunit',
    max: 1,
    queries: [[`topk(10, lanward_device_memory_ratio ${named})`, '{{name}}']],
  },
  {
    title: 'PoE',
    unit: 'watt',
    queries: [[`lanward_device_poe_watts ${named}`, '{{name}}']],
  },
]

const statsInRow = 4
const statHeight = 4
const chartHeight = 8
const columns = 24

/** Figures stand in one row, charts two beside each other below it. */
function placeOf(panel: Panel, index: number) {
  if (panel.stat) return { x: (index * columns) / statsInRow, y: 0, w: columns / statsInRow, h: statHeight }
  const at = index - statsInRow
  const [w, row] = [columns / 2, Math.floor(at / 2)]
  return { x: (at % 2) * w, y: statHeight + row * chartHeight, w, h: chartHeight }
}

const panelOf = (panel: Panel, index: number) => ({
  id: index + 1,
  title: panel.title,
  type: panel.stat ? 'stat' : 'timeseries',
  datasource,
  gridPos: placeOf(panel, index),
  fieldConfig: {
    defaults: { unit: panel.unit, min: 0, ...(panel.max !== undefined && { max: panel.max }) },
    overrides: [],
  },
  targets: panel.queries.map(([expr, legendFormat], at) => ({
    refId: 'AB'[at],
    datasource,
    expr,
    legendFormat,
    ...(panel.stat && { instant: true }),
  })),
})

/** Every query of it, by which a test asks a store. */
export const grafanaQueries = (): string[] => panels.flatMap(panel => panel.queries.map(([expression]) => expression))

export const grafanaDashboard = () => ({
  __inputs: [
    {
      name: 'DS_PROMETHEUS',
      label: 'Prometheus',
      type: 'datasource',
      pluginId: 'prometheus',
      pluginName: 'Prometheus',
    },
  ],
  title: 'Lanward',
  uid: 'lanward',
  schemaVersion: 39,
  refresh: '1m',
  time: { from: 'now-6h', to: 'now' },
  templating: {
    list: [
      {
        name: 'network',
        label: 'Network',
        type: 'query',
        datasource,
        query: { query: 'label_values(lanward_network_info, network)', refId: 'network' },
        includeAll: true,
        allValue: '.*',
        multi: true,
        refresh: 2,
        current: { text: 'All', value: '$__all' },
      },
    ],
  },
  panels: panels.map(panelOf),
})
