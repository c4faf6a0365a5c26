/**
 * The disk level of the program cache. Internal; knows neither tasks nor drivers.
 *
 * <pre>
 * FOLDER/frameloom-cache                  says that the folder is a program cache
 * FOLDER/processes/INSTANCE               one per open cache, locked as long as its process lives
 * FOLDER/loading/DIGEST.INSTANCE          a program that a driver is being given right now
 * FOLDER/quarantine/DIGEST.INSTANCE       a program that was being given to a driver when its process ended
 * FOLDER/KIND-FINGERPRINT/compatibility   the full text of the fingerprint
 * FOLDER/KIND-FINGERPRINT/DIGEST.program  one program
 * FOLDER/KIND-FINGERPRINT/DIGEST.INSTANCE.tmp  a program that is being written
 * </pre>
 *
 * <p>A program becomes visible by one rename of a file that is complete and durable, so a reader needs no lock and sees
 * it whole or not at all. Processes share no lock and no count. Where two of them meet, the worst that happens is that
 * a program is compiled twice, or that the folder holds more than its budget until one of them lists it.
 */
@NullMarked
package io.frameloom.gpu.cache.disk;

import org.jspecify.annotations.NullMarked;
