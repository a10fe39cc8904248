CREATE TABLE `alert_configs` (
	`network` integer PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	`revision` integer NOT NULL,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `device_parents` (
	`device` integer PRIMARY KEY NOT NULL,
	`parent` integer NOT NULL,
	`port` text,
	`at` integer NOT NULL,
	FOREIGN KEY (`device`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`parent`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `alerts` ADD `parent` integer REFERENCES alerts(id) ON DELETE cascade;--> statement-breakpoint
ALTER TABLE `alerts` ADD `tell_at` integer;--> statement-breakpoint
ALTER TABLE `alerts` ADD `told` integer;--> statement-breakpoint
ALTER TABLE `alerts` ADD `times` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `alerts` ADD `acknowledged_at` integer;--> statement-breakpoint
ALTER TABLE `alerts` ADD `acknowledged_by` text;--> statement-breakpoint
ALTER TABLE `alerts` ADD `note` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `alerts_parent` ON `alerts` (`parent`);--> statement-breakpoint
CREATE INDEX `alerts_told` ON `alerts` (`told`);--> statement-breakpoint
CREATE INDEX `alerts_tell` ON `alerts` (`tell_at`);--> statement-breakpoint
CREATE INDEX `alerts_device` ON `alerts` (`device`,`type`);--> statement-breakpoint
UPDATE `alerts` SET `told` = `id`;