package io.frameloom.taskgraph.property;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.SystemPropertyException;
import io.frameloom.taskgraph.WorkerLevel;
import java.nio.file.Path;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PropertyGroupTest {
    private static final PropertyGroup GROUP = new PropertyGroup("frameloom.groupTest.", "known");

    private static Object read(String value, Function<PropertyGroup, Object> reader) {
        System.setProperty("frameloom.groupTest.known", value);
        try {
            return reader.apply(GROUP);
        } finally {
            System.clearProperty("frameloom.groupTest.known");
        }
    }

    private static void refused(String value, Function<PropertyGroup, Object> reader, String problem) {
        assertThatThrownBy(() -> read(value, reader))
                .isInstanceOfSatisfying(
                        SystemPropertyException.class,
                        wrong -> assertThat(wrong.property()).isEqualTo("frameloom.groupTest.known"))
                .hasMessage("system property frameloom.groupTest.known" + problem);
    }

    @Test
    void whatIsNotSetIsTheOption() {
        assertThat(GROUP.text("known")).isNull();
        assertThat(GROUP.flag("known", true)).isTrue();
        assertThat(GROUP.number("known", -7, 1, 2)).isEqualTo(-7);
        assertThat(GROUP.constant("known", WorkerLevel.NORMAL)).isEqualTo(WorkerLevel.NORMAL);
        assertThat(GROUP.folder("known", Path.of("a"))).isEqualTo(Path.of("a"));
    }

    @Test
    void valuesAreRead() {
        assertThat(read("false", group -> group.flag("known", true))).isEqualTo(false);
        assertThat(read(" 12 ", group -> group.number("known", 1, 0, 12))).isEqualTo(12);
        assertThat(read("99999999999", group -> group.number("known", 1L, 1, Long.MAX_VALUE)))
                .isEqualTo(99_999_999_999L);
        assertThat(read("Background", group -> group.constant("known", WorkerLevel.NORMAL)))
                .isEqualTo(WorkerLevel.BACKGROUND);
        assertThat(read("a/b", group -> group.folder("known", Path.of("")))).isEqualTo(Path.of("a/b"));
    }

    @Test
    void wrongValuesAreRefusedWithWhatWouldBeRight() {
        refused("yes", group -> group.flag("known", true), " must be true or false, got 'yes'");
        refused("x", group -> group.number("known", 1, 1, 8), " must be a whole number from 1 to 8, got 'x'");
        refused("9", group -> group.number("known", 1, 1, 8), " must be a whole number from 1 to 8, got '9'");
        refused(
                "0",
                group -> group.number("known", 1L, 1, Long.MAX_VALUE),
                " must be a whole number of 1 or more, got '0'");
        refused(
                "4294967297",
                group -> group.number("known", 1, 1, Integer.MAX_VALUE),
                " must be a whole number from 1 to 2147483647, got '4294967297'");
        refused(
                "low",
                group -> group.constant("known", WorkerLevel.NORMAL),
                " must be one of high, normal, background, got 'low'");
        refused(" ", group -> group.folder("known", Path.of("")), ": needs the path of a folder, it is empty");
        refused("four", group -> group.parsed("known", 1, Integer::valueOf), ": For input string: \"four\"");
    }

    @Test
    void propertiesOfOtherNamesAreNotRead() {
        assertThat(GROUP.names()).containsExactly("frameloom.groupTest.known");
        assertThatThrownBy(() -> GROUP.flag("other", true))
                .hasMessage("the properties frameloom.groupTest.* have no 'other'");
    }
}
