ALTER TABLE `devices` ADD `part_number` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `devices` ADD `hardware` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `devices` ADD `boot` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `devices` ADD `ipv6` text;
--> statement-breakpoint
-- What devices told before; addresses come with the next reading.
UPDATE `devices` SET
  `part_number` = coalesce(`facts` ->> '$.partNumber', ''),
  `hardware` = coalesce(`facts` ->> '$.hardware', ''),
  `boot` = coalesce(`facts` ->> '$.boot', '');
