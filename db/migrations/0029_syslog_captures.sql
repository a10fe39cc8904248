CREATE TABLE `syslog_captures` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`network` integer NOT NULL,
	`device` integer,
	`severity` integer NOT NULL,
	`started_at` integer NOT NULL,
	`started_by` text NOT NULL,
	`until` integer NOT NULL,
	`ended_at` integer,
	`lines` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `syslog_captures_running` ON `syslog_captures` (`ended_at`);--> statement-breakpoint
CREATE INDEX `syslog_captures_network` ON `syslog_captures` (`network`);