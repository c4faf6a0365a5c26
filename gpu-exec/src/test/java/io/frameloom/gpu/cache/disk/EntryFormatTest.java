package io.frameloom.gpu.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A damaged file is never taken for a program. */
@Timeout(60)
class EntryFormatTest {
    private static final StoredEntry ENTRY = Entries.entry(1);
    private static final byte[] FILE = EntryFormat.encode(ENTRY);

    private static EntryReading read(byte[] file) {
        return EntryFormat.decode(file, ENTRY.digest(), ENTRY.compatibility());
    }

    private static void refused(byte[] file, EntryDamage damage) {
        assertThat(read(file)).isEqualTo(new EntryReading.Damaged(damage));
    }

    /** Sets an int of the header and makes its checksum right again. */
    private static byte[] withHeader(int offset, long value, boolean wide) {
        byte[] file = FILE.clone();
        ByteBuffer buffer = ByteBuffer.wrap(file);
        if (wide) {
            buffer.putLong(offset, value);
        } else {
            buffer.putInt(offset, (int) value);
        }
        CRC32C crc = new CRC32C();
        crc.update(file, 0, 104);
        buffer.putInt(104, (int) crc.getValue());
        return file;
    }

    @Test
    void aProgramComesBackAsItWas() {
        assertThat(read(FILE)).isInstanceOfSatisfying(EntryReading.Intact.class, intact -> {
            StoredEntry back = intact.entry();
            assertThat(back.payload()).isEqualTo(ENTRY.payload());
            assertThat(back.keyText()).isEqualTo(ENTRY.keyText());
            assertThat(back.parts()).isEqualTo(ENTRY.parts());
            assertThat(back.digest()).isEqualTo(ENTRY.digest());
            assertThat(back.kind()).isEqualTo(ENTRY.kind());
            assertThat(back.buildNanos()).isEqualTo(77);
        });
    }

    @Test
    void everyTruncationIsRefused() {
        for (int length = 0; length < FILE.length; length++) {
            assertThat(read(Arrays.copyOf(FILE, length)))
                    .as("%d bytes", length)
                    .isInstanceOf(EntryReading.Damaged.class);
        }
        refused(new byte[0], EntryDamage.TOO_SHORT);
        refused(Arrays.copyOf(FILE, FILE.length + 1), EntryDamage.WRONG_LENGTH);
    }

    @Test
    void everyFlippedBitIsRefused() {
        for (int bit = 0; bit < FILE.length * 8; bit++) {
            byte[] file = FILE.clone();
            file[bit / 8] ^= (byte) (1 << (bit % 8));
            assertThat(read(file)).as("bit %d", bit).isInstanceOf(EntryReading.Damaged.class);
        }
    }

    @Test
    void zerosFromAnyPointOnAreRefused() {
        for (int from = 0; from < FILE.length; from++) {
            byte[] file = Arrays.copyOf(Arrays.copyOf(FILE, from), FILE.length);
            if (!Arrays.equals(file, FILE)) {
                assertThat(read(file)).as("from %d", from).isInstanceOf(EntryReading.Damaged.class);
            }
        }
    }

    @Test
    void declaredSizesAreNotBelieved() {
        refused(withHeader(88, 1L << 32, true), EntryDamage.WRONG_LENGTH);
        refused(withHeader(88, Long.MAX_VALUE, true), EntryDamage.WRONG_LENGTH);
        refused(withHeader(88, -1, true), EntryDamage.WRONG_LENGTH);
        refused(withHeader(88, 0, true), EntryDamage.WRONG_LENGTH);
        refused(withHeader(80, -1, false), EntryDamage.WRONG_LENGTH);
        refused(withHeader(80, Integer.MAX_VALUE, false), EntryDamage.WRONG_LENGTH);
        refused(withHeader(84, -1, false), EntryDamage.WRONG_LENGTH);
        refused(withHeader(84, Integer.MAX_VALUE, false), EntryDamage.WRONG_LENGTH);
        // Sizes that add up, but differently.
        refused(withHeader(84, 0, false), EntryDamage.WRONG_LENGTH);
    }

    @Test
    void aNegativeSizeCannotMakeUpForATooLargeOne() {
        byte[] file = withHeader(84, -1, false);
        long payload = ByteBuffer.wrap(file).getLong(88);
        ByteBuffer.wrap(file).putLong(88, payload + 2L * Digest.BYTES);
        CRC32C crc = new CRC32C();
        crc.update(file, 0, 104);
        ByteBuffer.wrap(file).putInt(104, (int) crc.getValue());
        refused(file, EntryDamage.WRONG_LENGTH);
    }

    @Test
    void anotherFormatOrFileIsRefused() {
        refused(withHeader(8, EntryFormat.SCHEMA + 1L, false), EntryDamage.OTHER_SCHEMA);
        refused(new byte[FILE.length], EntryDamage.NO_PROGRAM);
        // What a transfer as text does to the magic.
        byte[] text = FILE.clone();
        text[6] = '\n';
        refused(text, EntryDamage.NO_PROGRAM);
    }

    @Test
    void aHeaderThatNamesAnotherProgramThanItsKeyIsRefused() {
        byte[] file = withHeader(16, 42, true);
        int checked = file.length - Digest.BYTES;
        Digest.of(file, 0, checked).write(ByteBuffer.wrap(file, checked, Digest.BYTES));
        refused(file, EntryDamage.WRONG_KEY);
    }

    @Test
    void aSoundProgramInTheWrongPlaceIsRefused() {
        assertThat(EntryFormat.decode(FILE, Entries.digest(2), ENTRY.compatibility()))
                .isEqualTo(new EntryReading.Damaged(EntryDamage.WRONG_KEY));
        assertThat(EntryFormat.decode(FILE, ENTRY.digest(), Digest.of(new byte[] {1})))
                .isEqualTo(new EntryReading.Damaged(EntryDamage.WRONG_COMPATIBILITY));
    }
}
