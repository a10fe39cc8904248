CREATE TABLE `held_notices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer NOT NULL,
	`target` integer,
	`alert` integer NOT NULL,
	`until` integer NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`target`) REFERENCES `notice_targets`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`alert`) REFERENCES `alerts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `held_notices_alert` ON `held_notices` (`alert`);--> statement-breakpoint
CREATE INDEX `held_notices_until` ON `held_notices` (`organization`,`target`,`until`);--> statement-breakpoint
CREATE TABLE `maintenance_windows` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`network` integer NOT NULL,
	`name` text NOT NULL,
	`data` text NOT NULL,
	`devices` text,
	`created_by` text NOT NULL,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `maintenance_windows_name` ON `maintenance_windows` (`network`,`name`);--> statement-breakpoint
CREATE TABLE `notice_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`target` integer NOT NULL,
	`message` text NOT NULL,
	`body` text NOT NULL,
	`state` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`next_at` integer NOT NULL,
	`tried_at` integer DEFAULT 0 NOT NULL,
	`code` integer DEFAULT 0 NOT NULL,
	`error` text DEFAULT '' NOT NULL,
	`answer` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`target`) REFERENCES `notice_targets`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `notice_deliveries_due` ON `notice_deliveries` (`state`,`next_at`);--> statement-breakpoint
CREATE INDEX `notice_deliveries_target` ON `notice_deliveries` (`target`,`id`);--> statement-breakpoint
CREATE TABLE `notice_targets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer NOT NULL,
	`name` text NOT NULL,
	`data` text NOT NULL,
	`networks` text,
	`told` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notice_targets_name` ON `notice_targets` (`organization`,`name`);--> statement-breakpoint
ALTER TABLE `alerts` ADD `told_at` integer;--> statement-breakpoint
ALTER TABLE `alerts` ADD `maintenance` text;