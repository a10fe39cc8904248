CREATE TABLE `client_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`network` integer NOT NULL,
	`mac` text NOT NULL,
	`at` integer NOT NULL,
	`what` text NOT NULL,
	`device` integer,
	`port` text,
	`ssid` text,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `client_events_mac` ON `client_events` (`network`,`mac`,`at`);--> statement-breakpoint
CREATE TABLE `clients` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`network` integer NOT NULL,
	`mac` text NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	`hostname` text DEFAULT '' NOT NULL,
	`vendor` text DEFAULT '' NOT NULL,
	`address` text DEFAULT '' NOT NULL,
	`online` integer NOT NULL,
	`first_seen_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`wifi` integer NOT NULL,
	`device` integer,
	`port` text,
	`ssid` text,
	`vlan` integer,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `clients_mac` ON `clients` (`network`,`mac`);--> statement-breakpoint
CREATE INDEX `clients_seen` ON `clients` (`network`,`online`,`seen_at`);