import { presentName } from '@/model/places'

/**
 * How the C library of a device without the tz database is told a zone (POSIX.1 8.3, with RFC 8536's extension): after
 * each `=TEXT` the zones that it is for, by their present names. Of the tz database 2025b, public domain.
 */
const table = `
=<+00>0<+02>-2,M3.5.0/1,M10.5.0/3 Antarctica/Troll =<+01>-1 Etc/GMT-1 Africa/El_Aaiun Africa/Casablanca =<+02>-2
Etc/GMT-2 =<+0330>-3:30 Asia/Tehran =<+03>-3 Etc/GMT-3 Antarctica/Syowa Asia/Bahrain Europe/Minsk Asia/Baghdad
Asia/Amman Asia/Kuwait Asia/Qatar Asia/Riyadh Asia/Damascus Europe/Istanbul Asia/Aden =<+0430>-4:30 Asia/Kabul
=<+04>-4 Etc/GMT-4 Asia/Dubai Asia/Yerevan Asia/Baku Asia/Tbilisi Indian/Mauritius Asia/Muscat Indian/Reunion
Europe/Astrakhan Europe/Samara Europe/Saratov Europe/Ulyanovsk Indian/Mahe =<+0530>-5:30 Asia/Colombo =<+0545>-5:45
Asia/Kathmandu =<+05>-5 Etc/GMT-5 Antarctica/Mawson Antarctica/Vostok Asia/Almaty Asia/Aqtau Asia/Aqtobe Asia/Atyrau
Asia/Oral Asia/Qostanay Asia/Qyzylorda Indian/Maldives Asia/Yekaterinburg Indian/Kerguelen Asia/Dushanbe Asia/Ashgabat
Asia/Samarkand Asia/Tashkent =<+0630>-6:30 Indian/Cocos Asia/Yangon =<+06>-6 Etc/GMT-6 Asia/Dhaka Asia/Thimphu
Asia/Urumqi Indian/Chagos Asia/Bishkek Asia/Omsk =<+07>-7 Etc/GMT-7 Antarctica/Davis Indian/Christmas Asia/Phnom_Penh
Asia/Vientiane Asia/Hovd Asia/Barnaul Asia/Krasnoyarsk Asia/Novokuznetsk Asia/Novosibirsk Asia/Tomsk Asia/Bangkok
Asia/Ho_Chi_Minh =<+0845>-8:45 Australia/Eucla =<+08>-8 Etc/GMT-8 Antarctica/Casey Asia/Brunei Asia/Ulaanbaatar
Asia/Kuala_Lumpur Asia/Kuching Asia/Irkutsk Asia/Singapore =<+09>-9 Etc/GMT-9 Pacific/Palau Asia/Chita Asia/Khandyga
Asia/Yakutsk Asia/Dili =<+1030>-10:30<+11>-11,M10.1.0,M4.1.0 Australia/Lord_Howe =<+10>-10 Etc/GMT-10
Antarctica/DumontDUrville Pacific/Chuuk Pacific/Port_Moresby Asia/Ust-Nera Asia/Vladivostok =<+11>-11 Etc/GMT-11
Pacific/Kosrae Pacific/Pohnpei Pacific/Noumea Pacific/Bougainville Asia/Magadan Asia/Sakhalin Asia/Srednekolymsk
Pacific/Guadalcanal Pacific/Efate =<+11>-11<+12>,M10.1.0,M4.1.0/3 Pacific/Norfolk
=<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45 Pacific/Chatham =<+12>-12 Etc/GMT-12 Pacific/Fiji Pacific/Tarawa
Pacific/Kwajalein Pacific/Majuro Pacific/Nauru Asia/Anadyr Asia/Kamchatka Pacific/Funafuti Pacific/Wake Pacific/Wallis
=<+13>-13 Etc/GMT-13 Pacific/Kanton Pacific/Fakaofo Pacific/Tongatapu Pacific/Apia =<+14>-14 Etc/GMT-14
Pacific/Kiritimati =<-01>1 Etc/GMT+1 Atlantic/Cape_Verde =<-01>1<+00>,M3.5.0/0,M10.5.0/1 Atlantic/Azores =<-02>2
Etc/GMT+2 America/Noronha Atlantic/South_Georgia =<-02>2<-01>,M3.5.0/-1,M10.5.0/0 America/Nuuk America/Scoresbysund
=<-03>3 Etc/GMT+3 Antarctica/Palmer Antarctica/Rothera America/Argentina/Buenos_Aires America/Argentina/Catamarca
America/Argentina/Cordoba America/Argentina/Jujuy America/Argentina/La_Rioja America/Argentina/Mendoza
America/Argentina/Rio_Gallegos America/Argentina/Salta America/Argentina/San_Juan America/Argentina/San_Luis
America/Argentina/Tucuman America/Argentina/Ushuaia America/Araguaina America/Bahia America/Belem America/Fortaleza
America/Maceio America/Recife America/Santarem America/Sao_Paulo America/Coyhaique America/Punta_Arenas
Atlantic/Stanley America/Cayenne America/Asuncion America/Paramaribo America/Montevideo =<-03>3<-02>,M3.2.0,M11.1.0
America/Miquelon =<-04>4 Etc/GMT+4 America/La_Paz America/Boa_Vista America/Campo_Grande America/Cuiaba America/Manaus
America/Porto_Velho America/Guyana America/Caracas =<-04>4<-03>,M9.1.6/24,M4.1.6/24 America/Santiago =<-05>5 Etc/GMT+5
America/Eirunepe America/Rio_Branco America/Bogota America/Guayaquil America/Lima =<-06>6 Etc/GMT+6 Pacific/Galapagos
=<-06>6<-05>,M9.1.6/22,M4.1.6/22 Pacific/Easter =<-07>7 Etc/GMT+7 =<-08>8 Etc/GMT+8 Pacific/Pitcairn =<-0930>9:30
Pacific/Marquesas =<-09>9 Etc/GMT+9 Pacific/Gambier =<-10>10 Etc/GMT+10 Pacific/Rarotonga Pacific/Tahiti =<-11>11
Etc/GMT+11 Pacific/Niue =<-12>12 Etc/GMT+12 =ACST-9:30 Australia/Darwin =ACST-9:30ACDT,M10.1.0,M4.1.0/3
Australia/Adelaide Australia/Broken_Hill =AEST-10 Australia/Brisbane Australia/Lindeman =AEST-10AEDT,M10.1.0,M4.1.0/3
Antarctica/Macquarie Australia/Hobart Australia/Melbourne Australia/Sydney =AKST9AKDT,M3.2.0,M11.1.0 America/Anchorage
America/Juneau America/Metlakatla America/Nome America/Sitka America/Yakutat =AST4 America/Antigua America/Anguilla
America/Aruba America/Barbados America/St_Barthelemy America/Kralendijk America/Blanc-Sablon America/Curacao
America/Dominica America/Santo_Domingo America/Grenada America/Guadeloupe America/St_Kitts America/St_Lucia
America/Marigot America/Martinique America/Montserrat America/Puerto_Rico America/Lower_Princes America/Port_of_Spain
America/St_Vincent America/Tortola America/St_Thomas =AST4ADT,M3.2.0,M11.1.0 Atlantic/Bermuda America/Glace_Bay
America/Goose_Bay America/Halifax America/Moncton America/Thule =AWST-8 Australia/Perth =CAT-2 Africa/Bujumbura
Africa/Gaborone Africa/Lubumbashi Africa/Blantyre Africa/Maputo Africa/Windhoek Africa/Kigali Africa/Khartoum
Africa/Juba Africa/Lusaka Africa/Harare =CET-1 Africa/Algiers Africa/Tunis =CET-1CEST,M3.5.0,M10.5.0/3 Europe/Andorra
Europe/Tirane Europe/Vienna Europe/Sarajevo Europe/Brussels Europe/Zurich Europe/Prague Europe/Berlin Europe/Busingen
Europe/Copenhagen Africa/Ceuta Europe/Madrid Europe/Paris Europe/Gibraltar Europe/Zagreb Europe/Budapest Europe/Rome
Europe/Vaduz Europe/Luxembourg Europe/Monaco Europe/Podgorica Europe/Skopje Europe/Malta Europe/Amsterdam Europe/Oslo
Europe/Warsaw Europe/Belgrade Europe/Stockholm Europe/Ljubljana Arctic/Longyearbyen Europe/Bratislava
Europe/San_Marino Europe/Vatican =CST-8 Asia/Shanghai Asia/Macau Asia/Taipei =CST5CDT,M3.2.0/0,M11.1.0/1
America/Havana =CST6 America/Belize America/Regina America/Swift_Current America/Costa_Rica America/Guatemala
America/Tegucigalpa America/Bahia_Banderas America/Chihuahua America/Merida America/Mexico_City America/Monterrey
America/Managua America/El_Salvador =CST6CDT,M3.2.0,M11.1.0 America/Rankin_Inlet America/Resolute America/Winnipeg
America/Matamoros America/Ojinaga America/Chicago America/Indiana/Knox America/Indiana/Tell_City America/Menominee
America/North_Dakota/Beulah America/North_Dakota/Center America/North_Dakota/New_Salem =ChST-10 Pacific/Guam
Pacific/Saipan =EAT-3 Africa/Djibouti Africa/Asmara Africa/Addis_Ababa Africa/Nairobi Indian/Comoro
Indian/Antananarivo Africa/Mogadishu Africa/Dar_es_Salaam Africa/Kampala Indian/Mayotte =EET-2 Africa/Tripoli
Europe/Kaliningrad =EET-2EEST,M3.4.4/50,M10.4.4/50 Asia/Gaza Asia/Hebron =EET-2EEST,M3.5.0,M10.5.0/3 Europe/Chisinau
=EET-2EEST,M3.5.0/0,M10.5.0/0 Asia/Beirut =EET-2EEST,M3.5.0/3,M10.5.0/4 Europe/Mariehamn Europe/Sofia Asia/Famagusta
Asia/Nicosia Europe/Tallinn Europe/Helsinki Europe/Athens Europe/Vilnius Europe/Riga Europe/Bucharest Europe/Kyiv
=EET-2EEST,M4.5.5/0,M10.5.4/24 Africa/Cairo =EST5 America/Atikokan America/Jamaica America/Cayman America/Cancun
America/Panama =EST5EDT,M3.2.0,M11.1.0 America/Nassau America/Iqaluit America/Toronto America/Port-au-Prince
America/Grand_Turk America/Detroit America/Indiana/Indianapolis America/Indiana/Marengo America/Indiana/Petersburg
America/Indiana/Vevay America/Indiana/Vincennes America/Indiana/Winamac America/Kentucky/Louisville
America/Kentucky/Monticello America/New_York =GMT0 Africa/Ouagadougou Africa/Abidjan Africa/Accra America/Danmarkshavn
Africa/Banjul Africa/Conakry Africa/Bissau Atlantic/Reykjavik Africa/Monrovia Africa/Bamako Africa/Nouakchott
Atlantic/St_Helena Africa/Freetown Africa/Dakar Africa/Sao_Tome Africa/Lome =GMT0BST,M3.5.0/1,M10.5.0 Europe/London
Europe/Guernsey Europe/Isle_of_Man Europe/Jersey =HKT-8 Asia/Hong_Kong =HST10 Pacific/Honolulu
=HST10HDT,M3.2.0,M11.1.0 America/Adak =IST-1GMT0,M10.5.0,M3.5.0/1 Europe/Dublin =IST-2IDT,M3.4.4/26,M10.5.0
Asia/Jerusalem =IST-5:30 Asia/Kolkata =JST-9 Asia/Tokyo =KST-9 Asia/Pyongyang Asia/Seoul =MSK-3 Europe/Kirov
Europe/Moscow Europe/Volgograd Europe/Simferopol =MST7 America/Creston America/Dawson_Creek America/Dawson
America/Fort_Nelson America/Whitehorse America/Hermosillo America/Mazatlan America/Phoenix =MST7MDT,M3.2.0,M11.1.0
America/Cambridge_Bay America/Edmonton America/Inuvik America/Ciudad_Juarez America/Boise America/Denver
=NST3:30NDT,M3.2.0,M11.1.0 America/St_Johns =NZST-12NZDT,M9.5.0,M4.1.0/3 Antarctica/McMurdo Pacific/Auckland =PKT-5
Asia/Karachi =PST-8 Asia/Manila =PST8PDT,M3.2.0,M11.1.0 America/Vancouver America/Tijuana America/Los_Angeles =SAST-2
Africa/Maseru Africa/Mbabane Africa/Johannesburg =SST11 Pacific/Pago_Pago Pacific/Midway =UTC0 UTC =WAT-1
Africa/Luanda Africa/Porto-Novo Africa/Kinshasa Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Libreville
Africa/Malabo Africa/Niamey Africa/Lagos Africa/Ndjamena =WET0WEST,M3.5.0/1,M10.5.0 Atlantic/Canary Atlantic/Faroe
Atlantic/Madeira Europe/Lisbon =WIB-7 Asia/Jakarta Asia/Pontianak =WIT-9 Asia/Jayapura =WITA-8 Asia/Makassar`

let known: Map<string, string> | undefined

function read(): Map<string, string> {
  const found = new Map<string, string>()
  let text = ''
  for (const word of table.trim().split(/\s+/)) {
    if (word.startsWith('=')) text = word.slice(1)
    else found.set(word, text)
  }
  return found
}

/** `CET-1CEST,M3.5.0,M10.5.0/3` of Europe/Berlin, by any of its names; undefined for one that is not in the table. */
export function posixZone(zone: string): string | undefined {
  known ??= read()
  return known.get(presentName(zone))
}
