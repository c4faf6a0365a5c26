package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.resource.Resource;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a list names is kept once each, in order, over any number of things and lists. */
class MentionsTest {
    private final Closings closings = new Closings();
    private final Mentions mentions = new Mentions(closings);
    private final AtomicInteger asked = new AtomicInteger();

    private final class Thing extends Perishable {
        private Thing(int number) {
            super(closings, String.valueOf(number));
        }

        @Override
        public @Nullable Resource firstClosed() {
            asked.incrementAndGet();
            return null;
        }

        @Override
        public String describe() {
            return "thing " + name();
        }

        @Override
        public void close() {
            end();
            closings.add(this);
        }
    }

    private Thing[] named(int count) {
        Thing[] things = new Thing[count];
        for (int i = 0; i < count; i++) {
            things[i] = new Thing(i);
            mentions.add(things[i]);
        }
        return things;
    }

    @Test
    void withoutAClosingNothingIsAsked() {
        named(10);
        assertThat(mentions.firstClosed()).isNull();
        assertThat(asked).hasValue(0);
    }

    @Test
    void eachThingIsAskedOnceHoweverOftenItWasNamed() {
        Thing[] things = named(1000);
        for (Thing thing : things) {
            mentions.add(thing);
            mentions.add(things[0]);
        }
        new Thing(1000).close();
        assertThat(mentions.firstClosed()).isNull();
        assertThat(asked).hasValue(1000);
        assertThat(mentions.firstClosed()).isNull();
        assertThat(asked).as("known to be open until the next closing").hasValue(1000);
    }

    @Test
    void whatWasNamedFirstIsFoundFirst() {
        Thing[] things = named(1000);
        things[999].close();
        assertThat(mentions.firstClosed()).isEqualTo("thing 999");
        things[31].close();
        assertThat(mentions.firstClosed()).isEqualTo("thing 31");
        things[0].close();
        assertThat(mentions.firstClosed()).isEqualTo("thing 0");
        assertThat(mentions.firstClosed()).isEqualTo("thing 0");
    }

    @Test
    void anotherListNamesNothingOfTheOneBefore() {
        Thing[] things = named(100);
        mentions.begin();
        mentions.add(things[7]);
        things[8].close();
        assertThat(mentions.firstClosed()).isNull();
        assertThat(asked).hasValue(1);
        things[7].close();
        assertThat(mentions.firstClosed()).isEqualTo("thing 7");
    }
}
