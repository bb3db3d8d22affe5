// SPDX-License-Identifier: GPL-3.0-or-later
//
// What LOCK allows is patched, each opcode, behind all kinds of prefixes; with
// a register operand, or cut off, it is not, and nor is anything else that
// begins with F0 or an override.
// RUN: %cxx -O1 -fsanitize=address,undefined -I%root/runtime %s \
// RUN:   %root/runtime/uplock.cc -o %t
// RUN: %t | FileCheck %s
// CHECK:     62 forms patched, {{[1-9][0-9]}} refused
// CHECK-NOT: {{.}}
#include "Inputs/image.h"

using Bytes = std::vector<unsigned char>;

struct Form {
  Bytes insn;
  const char *name;
};

// Up to ModRM, which says (%edi) or (%rdi).
static const Form lockable[] = {
    {{0x00, 0x07}, "addb %al"},
    {{0x01, 0x07}, "addl %eax"},
    {{0x01, 0x3f}, "addl %edi"},
    {{0x08, 0x07}, "orb %al"},
    {{0x09, 0x07}, "orl %eax"},
    {{0x10, 0x07}, "adcb %al"},
    {{0x11, 0x07}, "adcl %eax"},
    {{0x18, 0x07}, "sbbb %al"},
    {{0x19, 0x07}, "sbbl %eax"},
    {{0x20, 0x07}, "andb %al"},
    {{0x21, 0x07}, "andl %eax"},
    {{0x28, 0x07}, "subb %al"},
    {{0x29, 0x07}, "subl %eax"},
    {{0x30, 0x07}, "xorb %al"},
    {{0x31, 0x07}, "xorl %eax"},
    {{0x31, 0x3f}, "xorl %edi"},
    {{0x80, 0x07}, "addb $imm"},
    {{0x80, 0x0f}, "orb $imm"},
    {{0x80, 0x17}, "adcb $imm"},
    {{0x80, 0x1f}, "sbbb $imm"},
    {{0x80, 0x27}, "andb $imm"},
    {{0x80, 0x2f}, "subb $imm"},
    {{0x80, 0x37}, "xorb $imm"},
    {{0x81, 0x07}, "addl $imm"},
    {{0x81, 0x0f}, "orl $imm"},
    {{0x81, 0x17}, "adcl $imm"},
    {{0x81, 0x1f}, "sbbl $imm"},
    {{0x81, 0x27}, "andl $imm"},
    {{0x81, 0x2f}, "subl $imm"},
    {{0x81, 0x37}, "xorl $imm"},
    {{0x83, 0x07}, "addl $imm8"},
    {{0x83, 0x0f}, "orl $imm8"},
    {{0x83, 0x17}, "adcl $imm8"},
    {{0x83, 0x1f}, "sbbl $imm8"},
    {{0x83, 0x27}, "andl $imm8"},
    {{0x83, 0x2f}, "subl $imm8"},
    {{0x83, 0x37}, "xorl $imm8"},
    {{0xf6, 0x17}, "notb"},
    {{0xf6, 0x1f}, "negb"},
    {{0xf7, 0x17}, "notl"},
    {{0xf7, 0x1f}, "negl"},
    {{0xfe, 0x07}, "incb"},
    {{0xfe, 0x0f}, "decb"},
    {{0xff, 0x07}, "incl"},
    {{0xff, 0x0f}, "decl"},
    {{0x0f, 0xab, 0x07}, "btsl %eax"},
    {{0x0f, 0xab, 0x3f}, "btsl %edi"},
    {{0x0f, 0xb0, 0x07}, "cmpxchgb %al"},
    {{0x0f, 0xb0, 0x3f}, "cmpxchgb %bh"},
    {{0x0f, 0xb1, 0x07}, "cmpxchgl %eax"},
    {{0x0f, 0xb1, 0x3f}, "cmpxchgl %edi"},
    {{0x0f, 0xb3, 0x07}, "btrl %eax"},
    {{0x0f, 0xba, 0x2f}, "btsl $imm8"},
    {{0x0f, 0xba, 0x37}, "btrl $imm8"},
    {{0x0f, 0xba, 0x3f}, "btcl $imm8"},
    {{0x0f, 0xbb, 0x07}, "btcl %eax"},
    {{0x0f, 0xbb, 0x3f}, "btcl %edi"},
    {{0x0f, 0xc0, 0x07}, "xaddb %al"},
    {{0x0f, 0xc0, 0x3f}, "xaddb %bh"},
    {{0x0f, 0xc1, 0x07}, "xaddl %eax"},
    {{0x0f, 0xc1, 0x3f}, "xaddl %edi"},
    {{0x0f, 0xc7, 0x0f}, "cmpxchg8b"},
};

// With a prefix in front that looks like LOCK or what takes its place.
static const Form others[] = {
    {{0x3e, 0x90}, "ds nop"},
    {{0x3e, 0xc3}, "ds ret"},
    {{0x3e, 0x74, 0x00}, "je, taken"},
    {{0x3e, 0x0f, 0x84, 0, 0, 0, 0}, "je, taken"},
    {{0x3e, 0xff, 0xe0}, "notrack jmp *%eax"},
    {{0x3e, 0xff, 0x27}, "notrack jmp *(%edi)"},
    {{0x3e, 0xff, 0x17}, "notrack call *(%edi)"},
    {{0x3e, 0xff, 0x37}, "push %ds:(%edi)"},
    {{0x3e, 0xff, 0x3f}, "no instruction: ff /7"},
    {{0x3e, 0x8b, 0x07}, "mov %ds:(%edi), %eax"},
    {{0x3e, 0x03, 0x07}, "add %ds:(%edi), %eax"},
    {{0x3e, 0x05, 0x07, 0, 0, 0}, "ds add $7, %eax"},
    {{0x3e, 0x3b, 0x07}, "cmp %ds:(%edi), %eax"},
    {{0x3e, 0x39, 0x07}, "cmp %eax, %ds:(%edi)"},
    {{0x3e, 0x38, 0x07}, "cmp %al, %ds:(%edi)"},
    {{0x3e, 0x80, 0x3f, 0x01}, "cmpb $1, %ds:(%edi)"},
    {{0x3e, 0x81, 0x3f, 1, 0, 0, 0}, "cmpl $1, %ds:(%edi)"},
    {{0x3e, 0x82, 0x07, 0x01}, "addb $1, %ds:(%edi), the other one"},
    {{0x3e, 0x83, 0x3f, 0x01}, "cmpl $1, %ds:(%edi)"},
    {{0x3e, 0x85, 0x07}, "test %eax, %ds:(%edi)"},
    {{0x3e, 0x8d, 0x07}, "lea %ds:(%edi), %eax"},
    {{0x3e, 0xc6, 0x07, 0x01}, "movb $1, %ds:(%edi)"},
    {{0x3e, 0xc7, 0x07, 1, 0, 0, 0}, "movl $1, %ds:(%edi)"},
    {{0x3e, 0xd1, 0x27}, "shll %ds:(%edi)"},
    {{0x3e, 0xf6, 0x07, 0x01}, "testb $1, %ds:(%edi)"},
    {{0x3e, 0xf7, 0x27}, "mull %ds:(%edi)"},
    {{0x3e, 0xfe, 0x17}, "no instruction: fe /2"},
    {{0x3e, 0x0f, 0x0b}, "ds ud2"},
    {{0x3e, 0x0f, 0xa3, 0x07}, "bt %eax, %ds:(%edi)"},
    {{0x3e, 0x0f, 0xa5, 0x07}, "shld %cl, %eax, %ds:(%edi)"},
    {{0x3e, 0x0f, 0xb2, 0x07}, "lss %ds:(%edi), %eax"},
    {{0x3e, 0x0f, 0xb6, 0x07}, "movzbl %ds:(%edi), %eax"},
    {{0x3e, 0x0f, 0xba, 0x27, 0x01}, "bt $1, %ds:(%edi)"},
    {{0x3e, 0x0f, 0xbc, 0x07}, "bsf %ds:(%edi), %eax"},
    {{0x3e, 0x0f, 0xc3, 0x07}, "movnti %eax, %ds:(%edi)"},
    {{0x3e, 0x0f, 0xc7, 0xf0}, "ds rdrand %eax"},
    {{0x3e, 0x0f, 0xc7, 0x37}, "vmptrld %ds:(%edi)"},
    {{0x3e, 0x0f, 0x01, 0x07}, "sgdt %ds:(%edi)"},
    {{0x3e, 0x0f, 0x0f, 0x07}, "3DNow"},
    {{0x3e, 0x0f, 0x38, 0xf1, 0x07}, "movbe %eax, %ds:(%edi)"},
    {{0x3e, 0xa9, 0x01, 0, 0, 0, 0x90}, "ds test $1, %eax"},
    {{0x3e, 0xe9, 0, 0, 0, 0, 0x90}, "ds jmp"},
    {{0x3e, 0xa4}, "movsb"},
    {{0x64, 0x64, 0x8b, 0x07}, "mov %fs:(%edi), %eax"},
    {{0x2e, 0x2e, 0x0f, 0x1f, 0x00}, "nopl %cs:(%eax)"},
    {{0x66, 0x3e, 0x90}, "data16 ds nop"},
    {{0x3e}, "nothing behind it"},
    {{0x26, 0x26}, "nothing behind it"},
    // No byte is one that took LOCK's place.
    {{0x83, 0x07, 0x01}, "addl $1, (%edi)"},
    {{0x64, 0x83, 0x07, 0x01}, "addl $1, %fs:(%edi)"},
    {{0x64, 0x3e, 0x83, 0x07, 0x01}, "addl $1, %ds:(%edi)"},
    {{0x64, 0x65, 0x83, 0x07, 0x01}, "addl $1, %gs:(%edi)"},
    {{0x66, 0x83, 0x07, 0x01}, "addw $1, (%edi)"},
    // There would be no way back.
    {{0xf0, 0x3e, 0x83, 0x07, 0x01}, "lock ds addl $1, (%edi)"},
    {{0xf0, 0x64, 0x64, 0x83, 0x07}, "lock fs addl $1, %fs:(%edi)"},
    {{0x64, 0xf0, 0x64, 0x83, 0x07}, "fs lock addl $1, %fs:(%edi)"},
    {{0xf0, 0xf0, 0x83, 0x07, 0x01}, "lock lock addl $1, (%edi)"},
    {{0xf0, 0x66, 0xf0, 0x83, 0x07}, "lock lock addw $7, (%edi)"},
    // More than 15 bytes.
    {{0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
      0x66, 0xf0, 0x83, 0x07},
     "too long"},
    {{0xf0, 0x86, 0x07}, "lock xchgb"},
    {{0xf0, 0x87, 0x07}, "lock xchgl"},
    {{0xf0, 0x88, 0x07}, "lock movb"},
    {{0xf0, 0x89, 0x07}, "lock movl"},
    {{0xf0, 0xa9, 0x07, 0, 0, 0, 0x90}, "lock test"},
#ifdef __x86_64__
    {{0x3e, 0x48, 0x90}, "ds rex.w nop"},
    {{0x3e, 0x48, 0x8b, 0x07}, "mov %ds:(%rdi), %rax"},
    {{0x3e, 0x48, 0x0f, 0xc7, 0xf0}, "ds rdrand %rax"},
    {{0x3e, 0x48, 0x83, 0x3f, 0x01}, "cmpq $1, %ds:(%rdi)"},
    {{0x3e, 0x48, 0x48, 0x83, 0x07}, "REX twice"},
    {{0x48, 0x3e, 0x83, 0x07, 0x01}, "REX goes unused"},
    {{0x48}, "nothing behind it"},
#else
    {{0x3e, 0x48, 0x83, 0x07, 0x01}, "ds dec %eax; addl $1, (%edi)"},
    {{0xf0, 0x40, 0x83, 0x07, 0x01}, "lock inc %eax; addl $1, (%edi)"},
    {{0x3e, 0xc4, 0x07}, "les %ds:(%edi), %eax"},
    {{0x3e, 0x62, 0x07}, "bound %eax, %ds:(%edi)"},
#endif
};

static void expect(bool is_right, const Form &form, const char *problem) {
  if (is_right)
    return;
  printf("%s: %s:", form.name, problem);
  for (unsigned char byte : form.insn)
    printf(" %02x", byte);
  printf("\n");
}

static Form in_front(Bytes prefixes, Form form) {
  form.insn.insert(form.insn.begin(), prefixes.begin(), prefixes.end());
  return form;
}

static bool is(const Image &image, const Form &form) {
  return Bytes(image.text.begin(), image.text.end()) == form.insn;
}

static Image image_of(const Form &form) {
  Image image;
  image.add(form.insn);
  image.index();
  return image;
}

static void expect_refused(const Form &form) {
  for (uplock_mode mode : {UPLOCK_UP, UPLOCK_SMP}) {
    Image image = image_of(form);
    expect(image.apply(mode).mismatched == 1, form, "not refused");
    expect(is(image, form), form, "written");
  }
}

static void expect_patched(const Form &smp, const Form &up) {
  Image image = image_of(smp);
  expect(image.apply(UPLOCK_SMP).already == 1, smp, "not locked");
  expect(image.apply(UPLOCK_UP).changed == 1, smp, "not changed");
  expect(is(image, up), up, "not what it becomes");
  expect(image.apply(UPLOCK_UP).already == 1, up, "not unlocked");
  expect(image.apply(UPLOCK_SMP).locks == 1, up, "not counted as a lock");
  expect(is(image, smp), smp, "not what it becomes again");
}

static void expect_lockable(const Form &form) {
  std::vector<Bytes> between = {{}, {0x66}, {0xf2}, {0x67, 0xf3}, {0x64}};
#ifdef __x86_64__
  between.insert(between.end(), {{0x48}, {0x66, 0x41}, {0x64, 0x4f}});
#endif
  for (const Bytes &prefixes : between) {
    Form bare = in_front(prefixes, form);
    for (unsigned char mode : {0x00, 0x40, 0x80}) {
      Form memory = bare;
      memory.insn.back() |= mode;
      expect_patched(in_front({0xf0}, memory), in_front({0x3e}, memory));
      expect_patched(in_front({0x65, 0xf0}, memory),
                     in_front({0x65, 0x65}, memory));
      // A displacement and an immediate.
      memory.insn.insert(memory.insn.end(), 8, 0xf0);
      expect_patched(in_front({0xf0}, memory), in_front({0x3e}, memory));
    }
    Form other = bare;
    for (unsigned char prefix : {0xf0, 0x3e}) {
      other.insn = bare.insn;
      other.insn.back() |= 0xc0; // a register
      expect_refused(in_front({prefix}, other));
      for (; !other.insn.empty(); other.insn.pop_back()) {
        Form cut = other;
        cut.insn.pop_back();
        expect_refused(in_front({prefix}, cut));
      }
    }
  }
}

int main() {
  for (const Form &form : lockable)
    expect_lockable(form);
  for (const Form &form : others)
    expect_refused(form);
  printf("%zu forms patched, %zu refused\n", std::size(lockable),
         std::size(others));
}
