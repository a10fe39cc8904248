CREATE TABLE `network_offers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`network` integer NOT NULL,
	`organization` integer NOT NULL,
	`kind` text NOT NULL,
	`accepted` integer DEFAULT false NOT NULL,
	`by_account` text NOT NULL,
	`recipient` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `network_offers_key` ON `network_offers` (`network`,`organization`);--> statement-breakpoint
CREATE INDEX `network_offers_organization` ON `network_offers` (`organization`);