CREATE TABLE `topology_links` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`network` integer NOT NULL,
	`upper` integer NOT NULL,
	`lower` integer NOT NULL,
	`uplink` integer NOT NULL,
	`account` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`upper`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`lower`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `topology_links_ends` ON `topology_links` (`network`,`upper`,`lower`);--> statement-breakpoint
CREATE TABLE `topology_places` (
	`network` integer NOT NULL,
	`node` text NOT NULL,
	`x` integer NOT NULL,
	`y` integer NOT NULL,
	PRIMARY KEY(`network`, `node`),
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade
);
