//===- riscv-run.cpp - Run a bare RISC-V program with a Gemmini -----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads the ELF file that the linker wrote into an emulated riscv64 core
// (Unicorn, which is QEMU's). Where the core meets a custom-3 instruction, the
// instruction word is decoded, its two registers are read, and the simulator
// executes the command on the same memory: addresses of the core are addresses
// of this process. When the network's function is called, its arguments are
// taken from memory and given to the reference; when it returns, every result
// must be the reference's, bit for bit. Standard output and exit are
// semihosting.
//
//===----------------------------------------------------------------------===//

#include "MemoryAudit.h"
#include "Profile.h"

#include "fadiff/Analysis/EntryFunction.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/ISA/Gemmini.h"
#include "fadiff/Runner/Program.h"
#include "fadiff/Simulator/Machine.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <sys/mman.h>
#include <unicorn/unicorn.h>

using namespace fadiff;
namespace cl = llvm::cl;

static cl::opt<std::string> elfFile(cl::Positional, cl::Required,
                                    cl::desc("<program.elf>"));
static cl::opt<std::string>
    network("network", cl::Required,
            cl::desc("The program's network in linalg"));
static cl::opt<std::string> entryName("entry", cl::init("main"),
                                      cl::desc("Its function"));
static cl::opt<std::string> symbolName("symbol", cl::Required,
                                       cl::desc("The function's name in C"));
static cl::opt<std::string> target("target", cl::init("gemmini-large"),
                                   cl::desc("The accelerator"));
static cl::opt<unsigned> memoryMegabytes("memory", cl::init(4),
                                         cl::value_desc("MB"),
                                         cl::desc("Memory from 2 GB on"));
static cl::opt<uint64_t>
    fillSeed("fill", cl::value_desc("seed"),
             cl::desc("Fill the arguments before each call, as fadiff-run does "
                      "from this seed"));
static cl::opt<std::string> prepareName(
    "prepare", cl::value_desc("name"),
    cl::desc("The function that prepares the weights, if there is one. With "
             "--fill it finds its arguments in arrays arg0, arg1, ..."));
static cl::opt<unsigned>
    preparedCount("prepared", cl::init(0), cl::value_desc("n"),
                  cl::desc("Arguments that it has prepared, behind the "
                           "network's own"));
static cl::opt<bool>
    profile("profile",
            cl::desc("Count the core's instructions between the function's "
                     "entry and its return, by what they are for"));
static cl::opt<std::string>
    addresses("addresses", cl::value_desc("file"),
              cl::desc("With --profile: write how often each instruction was "
                       "executed to this file"));

namespace {

constexpr uint64_t kBase = 0x80000000;
/// Far more than any network takes.
constexpr uint64_t kMaxInstructions = 2'000'000'000;

llvm::Error error(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

class Core {
public:
  Core(sim::Machine &machine, const Program &reference)
      : machine(machine), reference(reference),
        size(uint64_t(memoryMegabytes) << 20),
        audit(kBase, size, machine.accelerator()),
        counted(kBase, size, symbolName) {}
  ~Core() {
    if (engine)
      uc_close(engine);
  }

  llvm::Error load(const llvm::object::ELF64LEObjectFile &file);
  llvm::Error run();

  uint64_t instructions = 0, commands = 0, calls = 0;
  uint64_t preparing = 0; ///< instructions of that function
  int exitCode = 0;
  MemoryAudit &memory() { return audit; }
  const Profile &counts() const { return counted; }

private:
  uint64_t reg(unsigned number) {
    uint64_t value = 0;
    if (number != 0)
      uc_reg_read(engine, UC_RISCV_REG_X0 + number, &value);
    return value;
  }
  void setReg(unsigned number, uint64_t value) {
    uc_reg_write(engine, UC_RISCV_REG_X0 + number, &value);
  }
  bool inMemory(uint64_t address, uint64_t size) {
    return address >= kBase && size <= this->size &&
           address - kBase <= this->size - size;
  }
  template <typename T> static T read(uint64_t address) {
    T value;
    std::memcpy(&value, reinterpret_cast<void *>(address), sizeof(T));
    return value;
  }

  static void onInstruction(uc_engine *, uint64_t address, uint32_t size,
                            void *user) {
    static_cast<Core *>(user)->visit(address);
  }
  static void onAccess(uc_engine *, uc_mem_type type, uint64_t address,
                       int size, int64_t, void *user) {
    static_cast<Core *>(user)->audit.core(address, size, type == UC_MEM_WRITE);
  }

  void visit(uint64_t address);
  llvm::Error trapped(uint64_t address, bool &exited);
  llvm::Error command(uint32_t word);
  llvm::Error semihost(bool &exited);
  void fillArrays();
  void called();
  void returned();
  void fail(llvm::Error why) {
    if (!failure)
      failure = llvm::toString(std::move(why));
    else
      llvm::consumeError(std::move(why));
    uc_emu_stop(engine);
  }

  sim::Machine &machine;
  const Program &reference;
  const uint64_t size; ///< of memory, bytes
  MemoryAudit audit;
  Profile counted;
  uc_engine *engine = nullptr;
  uint64_t start = 0, function = 0, prepare = 0;
  std::optional<uint64_t> returnAddress, prepareReturn;
  llvm::StringMap<uint64_t> symbols; ///< addresses
  std::vector<HostTensor> expected;
  std::vector<uint64_t> results;
  bool trap = false;
  std::optional<std::string> failure;
};

llvm::Error Core::load(const llvm::object::ELF64LEObjectFile &file) {
  void *memory =
      mmap(reinterpret_cast<void *>(kBase), size, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory != reinterpret_cast<void *>(kBase))
    return error("the memory at 0x80000000 is taken in this process");
  auto headers = file.getELFFile().program_headers();
  if (!headers)
    return headers.takeError();
  for (const auto &header : *headers) {
    if (header.p_type != llvm::ELF::PT_LOAD || header.p_filesz == 0)
      continue;
    if (!inMemory(header.p_paddr, header.p_filesz))
      return error("a segment lies at 0x" +
                   llvm::Twine::utohexstr(header.p_paddr) +
                   "; wanted all within " + llvm::Twine(memoryMegabytes) +
                   " MB from 0x80000000");
    std::memcpy(reinterpret_cast<void *>(uint64_t(header.p_paddr)),
                file.getELFFile().base() + header.p_offset, header.p_filesz);
  }
  start = file.getELFFile().getHeader().e_entry;
  for (const llvm::object::ELFSymbolRef &symbol : file.symbols()) {
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    llvm::Expected<llvm::object::SymbolRef::Type> type = symbol.getType();
    if (!type)
      return type.takeError();
    const uint64_t address = llvm::cantFail(symbol.getAddress());
    symbols[*name] = address;
    if (*type == llvm::object::SymbolRef::ST_Function && inMemory(address, 2))
      counted.addFunction(*name, address);
  }
  auto find = [&](llvm::StringRef name, uint64_t &address) -> llvm::Error {
    address = symbols.lookup(name);
    if (address == 0)
      return error("the program has no function '" + name + "'");
    return llvm::Error::success();
  };
  if (llvm::Error why = find(symbolName, function))
    return why;
  if (!prepareName.empty())
    if (llvm::Error why = find(prepareName, prepare))
      return why;

  machine.addDramRange(memory, size);
  uc_hook hook;
  if (uc_open(UC_ARCH_RISCV, UC_MODE_RISCV64, &engine) != UC_ERR_OK ||
      uc_mem_map_ptr(engine, kBase, size, UC_PROT_ALL, memory) != UC_ERR_OK ||
      uc_hook_add(engine, &hook, UC_HOOK_CODE,
                  reinterpret_cast<void *>(&onInstruction), this, 1,
                  0) != UC_ERR_OK ||
      uc_hook_add(engine, &hook, UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE,
                  reinterpret_cast<void *>(&onAccess), this, 1, 0) != UC_ERR_OK)
    return error("cannot set up the emulated core");
  return llvm::Error::success();
}

llvm::Error Core::run() {
  uint64_t pc = start;
  for (;;) {
    trap = false;
    uc_err status = uc_emu_start(engine, pc, /*until=*/0, 0, 0);
    uc_reg_read(engine, UC_RISCV_REG_PC, &pc);
    if (!audit.error().empty())
      return error(audit.error());
    if (failure)
      return error(*failure);
    if (!trap)
      return error("the core stopped at 0x" + llvm::Twine::utohexstr(pc) +
                   ": " + uc_strerror(status));
    bool exited = false;
    if (llvm::Error why = trapped(pc, exited))
      return why;
    if (exited)
      return llvm::Error::success();
    pc += 4;
  }
}

/// Called before each instruction.
void Core::visit(uint64_t address) {
  if (trap)
    return;
  if (++instructions > kMaxInstructions)
    return fail(error("the program does not end"));
  if (returnAddress && address == *returnAddress)
    returned();
  if (address == function)
    called();
  if (prepareReturn && address == *prepareReturn)
    prepareReturn.reset();
  if (address == prepare) {
    prepareReturn = reg(1);
    if (fillSeed.getNumOccurrences())
      fillArrays();
  }
  preparing += prepareReturn.has_value();
  if (!inMemory(address, 4))
    return;
  auto word = read<uint32_t>(address);
  if (returnAddress)
    counted.count(address, (word & 0x7f) == isa::kOpcode);
  constexpr uint32_t kBreak = 0x00100073;
  if ((word & 0x7f) == isa::kOpcode || word == kBreak) {
    trap = true;
    uc_emu_stop(engine);
  } else if ((word & 0x707f) == 0x000f) { // fence
    machine.fence();
    audit.fence();
  }
}

llvm::Error Core::trapped(uint64_t address, bool &exited) {
  auto word = read<uint32_t>(address);
  if ((word & 0x7f) != isa::kOpcode)
    return semihost(exited);
  return command(word);
}

llvm::Error Core::command(uint32_t word) {
  // R type: funct7, rs2, rs1, funct3, rd, opcode.
  unsigned funct7 = word >> 25, rs2 = word >> 20 & 31, rs1 = word >> 15 & 31,
           funct3 = word >> 12 & 7, rd = word >> 7 & 31;
  if (funct3 != isa::kFunct3 || rd != 0)
    return error("instruction 0x" + llvm::Twine::utohexstr(word) +
                 " is custom-3 with funct3 " + llvm::Twine(funct3) +
                 " and rd x" + llvm::Twine(rd) + "; Gemmini's have 3 and x0");
  isa::Command command{funct7, reg(rs1), reg(rs2)};
  ++commands;
  machine.execute(command.funct, command.rs1, command.rs2);
  audit.accelerator(command);
  if (machine.fault())
    return error("the program is illegal on target '" +
                 machine.accelerator().name + "': " + machine.fault()->str());
  return llvm::Error::success();
}

llvm::Error Core::semihost(bool &exited) {
  uint64_t argument = reg(11);
  if (!inMemory(argument, 24))
    return error("a semihosting call has its arguments outside of memory");
  switch (reg(10)) {
  case 0x01: // SYS_OPEN: there are no files
  case 0x15: // SYS_GET_CMDLINE: there is none
    setReg(10, -1);
    return llvm::Error::success();
  case 0x03: // SYS_WRITEC
    llvm::outs() << read<char>(argument);
    break;
  case 0x04: // SYS_WRITE0
    llvm::outs() << reinterpret_cast<const char *>(argument);
    break;
  case 0x18: // SYS_EXIT: a reason, 0x20026 for a normal one, and a code
    exitCode = read<uint64_t>(argument) == 0x20026 ? 0 : 1;
    exited = true;
    break;
  default:
    return error("semihosting call " + llvm::Twine(reg(10)) + " is unknown");
  }
  setReg(10, 0);
  return llvm::Error::success();
}

/// The core is about to prepare weights: its arguments are arrays of the
/// program.
void Core::fillArrays() {
  llvm::Expected<std::vector<HostTensor>> made =
      makeArguments(reference.entry(), fillSeed);
  if (!made)
    return fail(made.takeError());
  for (auto [i, tensor] : llvm::enumerate(*made)) {
    const std::string name = "arg" + std::to_string(i);
    const uint64_t address = symbols.lookup(name);
    if (!inMemory(address, tensor.spec().sizeInBytes()))
      return fail(error("the program has no array '" + name + "' to fill"));
    std::memcpy(reinterpret_cast<void *>(address), tensor.data(),
                tensor.spec().sizeInBytes());
  }
}

/// The core is about to enter the network: run the reference on its arguments.
void Core::called() {
  ++calls;
  returnAddress = reg(1);
  const EntryPoint &entry = reference.entry();
  uint64_t stack = reg(2);
  unsigned position = 0;
  auto nextPointer = [&]() {
    // Eight in registers from x10 on, the others on the stack.
    unsigned i = position++;
    return i < 8 ? reg(10 + i) : read<uint64_t>(stack + 8 * (i - 8));
  };
  std::vector<HostTensor> arguments, filled;
  std::vector<uint64_t> pointers;
  if (fillSeed.getNumOccurrences() && prepare == 0) {
    llvm::Expected<std::vector<HostTensor>> made =
        makeArguments(entry, fillSeed);
    if (!made)
      return fail(made.takeError());
    filled = std::move(*made);
  }
  for (auto [i, spec] : llvm::enumerate(entry.arguments)) {
    uint64_t pointer = nextPointer();
    llvm::Expected<HostTensor> tensor = HostTensor::allocate(spec);
    if (!tensor)
      return fail(tensor.takeError());
    if (!inMemory(pointer, spec.sizeInBytes()))
      return fail(error("argument #" + llvm::Twine(arguments.size()) +
                        " lies outside of memory"));
    if (!filled.empty())
      std::memcpy(reinterpret_cast<void *>(pointer), filled[i].data(),
                  spec.sizeInBytes());
    std::memcpy(tensor->data(), reinterpret_cast<void *>(pointer),
                spec.sizeInBytes());
    arguments.push_back(std::move(*tensor));
    pointers.push_back(pointer);
  }
  for (unsigned i = 0; i < preparedCount; ++i)
    nextPointer();
  results.clear();
  for (const TensorSpec &spec : entry.results) {
    results.push_back(nextPointer());
    if (!inMemory(results.back(), spec.sizeInBytes()))
      return fail(error("result #" + llvm::Twine(results.size() - 1) +
                        " lies outside of memory"));
  }
  for (unsigned index : entry.written)
    results.push_back(pointers[index]);
  llvm::Expected<std::vector<HostTensor>> outputs = reference.run(arguments);
  if (!outputs)
    return fail(outputs.takeError());
  expected = std::move(*outputs);
}

/// Back from the network.
void Core::returned() {
  returnAddress.reset();
  std::vector<HostTensor> found;
  for (auto [wanted, pointer] : llvm::zip_equal(expected, results)) {
    const TensorSpec &spec = wanted.spec();
    llvm::Expected<HostTensor> tensor = HostTensor::allocate(spec);
    if (!tensor)
      return fail(tensor.takeError());
    std::memcpy(tensor->data(), reinterpret_cast<void *>(pointer),
                spec.sizeInBytes());
    found.push_back(std::move(*tensor));
  }
  llvm::Expected<bool> equal = compareOutputs(expected, found, llvm::outs());
  if (!equal)
    return fail(equal.takeError());
  if (!*equal)
    return fail(error("the results differ from the reference"));
}

llvm::Error runProgram() {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::MLIRContext context(registry);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceFile<mlir::ModuleOp>(network, &context);
  if (!module)
    return error("cannot read the network");
  mlir::FailureOr<mlir::func::FuncOp> function =
      chooseEntry(*module, entryName);
  if (failed(function) || failed(isolateEntry(*module, *function)))
    return error("cannot call the network");
  mlir::FailureOr<EntryPoint> entry =
      findEntryPoint(*module, function->getSymName());
  if (failed(entry))
    return error("cannot call the network");
  mlir::FailureOr<std::unique_ptr<Program>> reference =
      compileReference(*module, *entry);
  if (failed(reference))
    return error("cannot compile the reference");

  llvm::Expected<llvm::object::OwningBinary<llvm::object::ObjectFile>> binary =
      llvm::object::ObjectFile::createObjectFile(elfFile);
  if (!binary)
    return binary.takeError();
  auto *elf =
      llvm::dyn_cast<llvm::object::ELF64LEObjectFile>(binary->getBinary());
  if (!elf || elf->getArch() != llvm::Triple::riscv64)
    return error(elfFile + " is no program for riscv64");

  llvm::Expected<Accelerator> accelerator = findTarget(target);
  if (!accelerator)
    return accelerator.takeError();
  sim::Machine machine(*accelerator);
  Core core(machine, **reference);
  if (llvm::Error why = core.load(*elf))
    return why;
  if (llvm::Error why = core.run())
    return why;
  if (core.calls == 0)
    return error("the program never called '" + symbolName + "'");
  if (core.exitCode != 0)
    return error("the program exited with " + llvm::Twine(core.exitCode));
  sim::Counters total = machine.total();
  llvm::outs() << core.calls << " calls, results identical to the reference\n"
               << core.commands << " commands among " << core.instructions
               << " instructions\n"
               << core.memory().fences() << " fences, "
               << core.memory().idleFences() << " of them idle\n"
               << "DRAM bytes read " << total.dramBytesRead << ", written "
               << total.dramBytesWritten << '\n';
  if (!prepareName.empty())
    llvm::outs() << core.preparing
                 << " instructions to prepare the weights, once\n";
  if (profile)
    core.counts().print(llvm::outs(), core.calls);
  if (!addresses.empty()) {
    std::error_code code;
    llvm::raw_fd_ostream os(addresses, code);
    if (code)
      return error("cannot write '" + addresses + "': " + code.message());
    core.counts().printAddresses(os);
  }
  return llvm::Error::success();
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "Runs a bare riscv64 program\n");
  if (llvm::Error why = runProgram()) {
    llvm::outs().flush();
    llvm::errs() << "error: " << llvm::toString(std::move(why)) << '\n';
    return 1;
  }
  return 0;
}
